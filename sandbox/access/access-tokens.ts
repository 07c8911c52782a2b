import { exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT, type JWK } from 'jose';
import type { Clock } from '../time/clock';

const ALGORITHM = 'ES256';

/** A new signing key, as `Tokens` takes it. */
export async function makeTokenKey(): Promise<string> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return JSON.stringify(await exportJWK(privateKey));
}

/** The sandbox's own issuer of OAuth access tokens: signed JWTs (RFC 9068) for one resource. */
export class Tokens {
  private readonly jwk: JWK;

  constructor(
    key: string,
    private readonly clock: Clock,
  ) {
    this.jwk = JSON.parse(key);
  }

  /**
   * @param subject The access that the token acts as.
   * @param audience The resource's address.
   * @param lifetime Seconds.
   */
  async issue(subject: string, scopes: string[], audience: string, lifetime: number): Promise<string> {
    const now = Math.floor(this.clock.now() / 1000);
    return new SignJWT({ scope: scopes.join(' ') })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt' })
      .setSubject(subject)
      .setIssuer(audience)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + lifetime)
      .sign(await importJWK(this.jwk, ALGORITHM));
  }

  /**
   * Checks signature, expiry and audience.
   * @returns The access and the scopes that the token carries.
   * @throws What `jose` throws when the token does not hold.
   */
  async verify(token: string, audience: string): Promise<{ subject: string; scopes: string[] }> {
    const { kty, crv, x, y } = this.jwk;
    const key = await importJWK({ kty, crv, x, y }, ALGORITHM);
    const { payload } = await jwtVerify<{ scope?: string }>(token, key, {
      algorithms: [ALGORITHM],
      audience,
      issuer: audience,
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(this.clock.now()),
    });
    return { subject: payload.sub ?? '', scopes: (payload.scope ?? '').split(' ') };
  }
}
