/** Certificates of an own authority, made with openssl. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findProgram, installDebianPackages } from '../../support/debian-packages.ts';

/** Paths of the files of a certificate. */
export type CertificateFiles = { readonly cert: string; readonly key: string };

export class Authority {
  readonly folder: string;
  #issued = 0;

  /** Makes the authority, in a folder for temporary files. */
  constructor(name: string) {
    if (findProgram(['openssl']) === null && !installDebianPackages(['openssl']))
      throw new Error('openssl could not be installed');
    this.folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-authority-'));
    this.#run([
      'req',
      '-x509',
      ...NEW_KEY,
      '-keyout',
      'ca.key',
      '-out',
      'ca.crt',
      '-days',
      '30',
      '-subj',
      `/CN=${name}`,
    ]);
  }

  /** The file that whoever trusts it is given. */
  get file(): string {
    return path.join(this.folder, 'ca.crt');
  }

  /** Issues a certificate for a host (or the user of a client), valid from now on or, with `isExpired`, yesterday. */
  issue(host: string, { isExpired = false } = {}): CertificateFiles {
    this.#issued += 1;
    const name = `issued${this.#issued}`;
    this.#run(['req', '-new', ...NEW_KEY, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${host}`]);
    const kind = /^[\d.]+$/.test(host) ? 'IP' : 'DNS';
    const day = (days: number) =>
      new Date(Date.now() + days * 86_400_000)
        .toISOString()
        .replaceAll(/[-:T]|\.\d+/g, '')
        .slice(0, 14);
    const [from, until] = isExpired ? [day(-3), day(-1)] : [day(-1), day(30)];
    writeFileSync(path.join(this.folder, 'index.txt'), '');
    writeFileSync(path.join(this.folder, 'serial'), `${this.#issued + 10}\n`);
    writeFileSync(
      path.join(this.folder, 'ca.cnf'),
      `[ca]\ndefault_ca = own\n[own]\ndatabase = index.txt\nserial = serial\nnew_certs_dir = .\ndefault_md = sha256
policy = any\nx509_extensions = ext\nunique_subject = no\n[any]\ncommonName = supplied\n[ext]\nsubjectAltName = ${kind}:${host}\n`,
    );
    this.#run([
      ...['ca', '-batch', '-config', 'ca.cnf', '-cert', 'ca.crt', '-keyfile', 'ca.key', '-in', `${name}.csr`],
      ...['-out', `${name}.crt`, '-startdate', `${from}Z`, '-enddate', `${until}Z`, '-notext'],
    ]);
    return { cert: path.join(this.folder, `${name}.crt`), key: path.join(this.folder, `${name}.key`) };
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #run(args: readonly string[]): void {
    execFileSync('openssl', args, { cwd: this.folder, stdio: 'pipe', env: { PATH: process.env.PATH } });
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Settings and files of a server with a certificate; clients may have certificates of the authority. */
export function tlsOf(files: CertificateFiles, authority: Authority) {
  return {
    settings: { ssl: 'on', ssl_cert_file: '../server.crt', ssl_key_file: '../server.key', ssl_ca_file: '../ca.crt' },
    files: {
      'server.crt': readFileSync(files.cert, 'utf8'),
      'server.key': readFileSync(files.key, 'utf8'),
      'ca.crt': readFileSync(authority.file, 'utf8'),
    },
  };
}
