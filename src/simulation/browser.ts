/**
 * The browser's end of web push (RFC 8291, RFC 8188), built on Node's own cryptography: makes a subscription's keys
 * and decrypts the messages sent to it.
 */
import { createDecipheriv, createECDH, createHmac, type ECDH, randomBytes } from 'node:crypto';

const CURVE = 'prime256v1';
const SALT_BYTES = 16;
const TAG_BYTES = 16;

export class SimulatedBrowser {
  /** base64url, as a page sends them. */
  readonly p256dh: string;
  readonly auth: string;
  readonly #pair: ECDH;
  readonly #secret: Buffer;

  /** Uses new keys, or the given ones: a private key of 32 bytes and a secret of 16. */
  constructor(privateKey?: Buffer, secret: Buffer = randomBytes(16)) {
    this.#pair = createECDH(CURVE);
    if (privateKey === undefined) this.#pair.generateKeys();
    else this.#pair.setPrivateKey(privateKey);
    this.#secret = secret;
    this.p256dh = this.#pair.getPublicKey('base64url');
    this.auth = secret.toString('base64url');
  }

  /** The text of a message encoded as `aes128gcm`. Throws if it is for another browser or was tampered with. */
  read(message: Buffer): string {
    const salt = message.subarray(0, SALT_BYTES);
    const recordSize = message.readUInt32BE(SALT_BYTES);
    const keyLength = message.readUInt8(SALT_BYTES + 4);
    const start = SALT_BYTES + 5 + keyLength;
    const sender = message.subarray(SALT_BYTES + 5, start);
    const { key, nonce } = this.#keys(sender, salt);
    const parts: Buffer[] = [];
    for (let from = start, record = 0; from < message.length; from += recordSize, record += 1) {
      const end = Math.min(from + recordSize, message.length);
      parts.push(openRecord(message.subarray(from, end), key, nonceOf(nonce, record), end === message.length));
    }
    return Buffer.concat(parts).toString('utf8');
  }

  /** RFC 8291, section 3.4, and RFC 8188, section 2.2. */
  #keys(sender: Buffer, salt: Buffer): { key: Buffer; nonce: Buffer } {
    const shared = this.#pair.computeSecret(sender);
    const about = Buffer.concat([Buffer.from('WebPush: info\0'), this.#pair.getPublicKey(), sender]);
    const secret = hkdf(this.#secret, shared, about, 32);
    return {
      key: hkdf(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
      nonce: hkdf(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12),
    };
  }
}

/** HKDF (RFC 5869) with SHA-256, for at most one block. */
function hkdf(salt: Buffer, material: Buffer, info: Buffer, length: number): Buffer {
  const extracted = createHmac('sha256', salt).update(material).digest();
  return createHmac('sha256', extracted)
    .update(info)
    .update(Buffer.from([1]))
    .digest()
    .subarray(0, length);
}

/** The nonce of a record: its number, counted from 0, over the last bytes. */
function nonceOf(nonce: Buffer, record: number): Buffer {
  const own = Buffer.from(nonce);
  own.writeUInt32BE((own.readUInt32BE(8) ^ record) >>> 0, 8);
  return own;
}

/** The text of a record is followed by a delimiter (2 in the last record, else 1) and zeros. */
function openRecord(record: Buffer, key: Buffer, nonce: Buffer, last: boolean): Buffer {
  const cipher = createDecipheriv('aes-128-gcm', key, nonce);
  cipher.setAuthTag(record.subarray(-TAG_BYTES));
  const padded = Buffer.concat([cipher.update(record.subarray(0, -TAG_BYTES)), cipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== (last ? 2 : 1)) throw new Error('the padding of the message is broken');
  return padded.subarray(0, end);
}
