/** The certificate authorities for the register's host only. */
import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';

/**
 * The runtime's trusted authorities plus the intermediate certificate that the register does not send. Verification
 * stays on: a root in that list signed the intermediate (see docs/SOURCES.md).
 */
export function registerAuthorities(): string[] {
  const file = new URL('./certificates/sectigo_public_server_auth_ca_dv_r36.pem', import.meta.url);
  return [...getCACertificates('default'), readFileSync(file, 'utf8')];
}
