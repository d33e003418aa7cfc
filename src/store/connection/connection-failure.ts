/** Why a server cannot be connected to, in words that say what to change where TLS or a certificate is the cause. */
import { codeOf, DatabaseUnavailable, messageOf } from '../database-errors.ts';

/** One clause. What has another cause keeps the words of the server or the system. */
export function connectionFailure(error: unknown): string {
  const code = codeOf(error) ?? '';
  const message = messageOf(error);
  const found = CAUSES.find(([pattern]) => pattern.test(code) || pattern.test(message));
  return found === undefined ? message : found[1](causeOf(error));
}

type Description = (error: unknown) => string;

const OTHER_AUTHORITY =
  /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|CERT_SIGNATURE_FAILURE)$/;

const CAUSES: readonly (readonly [RegExp, Description])[] = [
  [
    OTHER_AUTHORITY,
    () =>
      'its certificate is not from an authority that is trusted here: name the file of its authority by sslrootcert=, as in ?sslmode=verify-full&sslrootcert=/etc/pompa/ca.crt',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    (error) =>
      `its certificate is for another host (${namesIn(error)}): use a name that is in the certificate, or have one made for this name`,
  ],
  [/^CERT_HAS_EXPIRED$/, () => 'its certificate has expired: renew it on the server'],
  [/^CERT_NOT_YET_VALID$/, () => 'its certificate is not valid yet: check the clocks of both machines'],
  [
    /^The server does not support SSL connections$/,
    () =>
      'it offers no TLS, which sslmode demands: set ssl = on there, or sslmode=disable where the network is trusted',
  ],
  [
    /^connection requires a valid client certificate$/,
    () => 'it demands a certificate of its clients: name the files by sslcert= and sslkey=',
  ],
  [
    /^no pg_hba\.conf entry .*no encryption$/,
    (error) => `it admits nobody without TLS from here (${messageOf(error)}): add ?sslmode=verify-full to the address`,
  ],
  [
    /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_\w+)$|alert (unknown ca|bad certificate|certificate)/,
    () =>
      'it refused our certificate, that of sslcert=: it must be from the authority that the server knows (ssl_ca_file)',
  ],
];

function causeOf(error: unknown): unknown {
  return error instanceof DatabaseUnavailable && error.cause !== undefined ? causeOf(error.cause) : error;
}

/** The names in a certificate, as Node.js lists them: `DNS:a.example, IP Address:10.0.0.1`. */
function namesIn(error: unknown): string {
  const names = (error as { cert?: { subjectaltname?: string } }).cert?.subjectaltname ?? '';
  return names === '' ? 'it names none' : names.replaceAll(/DNS:|IP Address:/g, '').slice(0, 200);
}
