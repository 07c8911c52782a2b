import { exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT, type JWK } from 'jose';
import type { Clock } from '../time/clock';

const ALGORITHM = 'ES256';

/** The sandbox's own issuer of OAuth access tokens: signed JWTs (RFC 9068) for one resource. */
export class Tokens {
  private constructor(
    private readonly jwk: JWK,
    private readonly clock: Clock,
  ) {}

  /** @param stored The signing key of an earlier run, as `save` got it. */
  static async open(stored: string | undefined, save: (jwk: string) => void, clock: Clock): Promise<Tokens> {
    if (stored !== undefined) return new Tokens(JSON.parse(stored), clock);
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const jwk = await exportJWK(privateKey);
    save(JSON.stringify(jwk));
    return new Tokens(jwk, clock);
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
