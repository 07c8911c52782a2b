const PREFIX = 'whsec_';
/** Shorter keys can be guessed; the Standard Webhooks specification advises 24 to 64 bytes. */
const FEWEST_BYTES = 16;

/** Whether calls can be verified with a secret: `whsec_` and at least 16 bytes in base64 (spec: Webhook delivery, 7). */
export function isSigningSecret(value: unknown): value is string {
  if (typeof value !== 'string' || !value.startsWith(PREFIX)) return false;
  const encoded = value.slice(PREFIX.length).replace(/=+$/, '');
  const key = Buffer.from(encoded, 'base64');
  return key.length >= FEWEST_BYTES && key.toString('base64').replace(/=+$/, '') === encoded;
}
