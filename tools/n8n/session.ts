import { randomUUID } from 'node:crypto';
import { Halt } from './processes/halt';

/** Who owns a throw-away n8n. */
export interface Owner {
  email: string;
  password: string;
}

/** An n8n answer that is not a success. `status` is the HTTP status. */
export class N8nRefusal extends Error {
  constructor(
    readonly status: number,
    /** n8n's own words. */
    readonly reason: string,
    call: string,
  ) {
    super(`n8n answered ${call} with ${status}: ${reason}`);
  }
}

/** A person's session in one n8n: the calls that the editor makes. `url` is n8n's own address, without a slash at its end. */
export class Session {
  private cookie = '';
  /** n8n ties a session to the browser that opened it. */
  private readonly browser = randomUUID();

  private constructor(
    readonly url: string,
    /** Everything before the first dot of n8n's version. */
    readonly major: 1 | 2,
  ) {}

  /** Sets up the owner of a fresh n8n, or logs in to one that has its owner. */
  static async open(url: string, major: 1 | 2, owner: Owner): Promise<Session> {
    const session = new Session(url, major);
    const { userManagement } = await session.call<{ userManagement: { showSetupOnFirstLoad: boolean } }>(
      'GET',
      '/rest/settings',
    );
    if (userManagement.showSetupOnFirstLoad) {
      await session.call('POST', '/rest/owner/setup', { ...owner, firstName: 'Demo', lastName: 'Owner' });
    } else {
      const { email, password } = owner;
      await session.call('POST', '/rest/login', { emailOrLdapLoginId: email, password });
    }
    if (!session.cookie)
      throw new Halt('n8n did not open a session. Remove its user folder and start again.');
    return session;
  }

  /** One REST call; gives the `data` of the answer. Throws `N8nRefusal` for anything but a success. */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = JSON.parse(await this.read(method, path, body)) as { data: T };
    return answer.data;
  }

  /** One call for anything that n8n serves; gives the text of the answer. Throws `N8nRefusal` for anything but a success. */
  async read(method: string, path: string, body?: unknown): Promise<string> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        // A busy n8n resets connections that stayed open, in the middle of the next request.
        connection: 'close',
        'browser-id': this.browser,
        ...(this.cookie && { cookie: this.cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(180_000),
    });
    const cookie = response.headers.getSetCookie().find((text) => text.startsWith('n8n-auth='));
    if (cookie) this.cookie = cookie.split(';')[0] ?? '';
    const text = await response.text();
    if (!response.ok) throw new N8nRefusal(response.status, messageOf(text), `${method} ${path}`);
    return text;
  }
}

function messageOf(text: string): string {
  try {
    const parsed = JSON.parse(text) as { message?: string };
    return parsed.message ?? text;
  } catch (error) {
    if (error instanceof SyntaxError) return text.slice(0, 500);
    throw error;
  }
}
