import fc from 'fast-check';
import { filledPath } from '../../../nodes/shared/api/client';
import { agencyKey, agencyOrigin, isLoopback, withKey } from '../../../nodes/shared/api/credential';
import { recordOf } from '../../../nodes/shared/api/requests/failed-attempt';

describe('An agency address', () => {
  test.each([
    'https://agency.example',
    'https://agency.example/',
    'https://agency.example///',
    ' https://agency.example\n',
    '"https://agency.example/"',
    '<https://agency.example>',
    '\u200bagency.example\u00a0',
    'https://agency.example/api/v1',
    'https://agency.example/api/v1/',
    'HTTPS://AGENCY.EXAMPLE',
    'https://agency.example:443/api/v1',
    'agency.example',
    'agency.example/',
    'agency.example:443/app?tab=1',
    'https://agency.example/app',
    'https://agency.example/api/v2',
    'https://agency.example/companies/1?tab=settings#top',
    'https://agency.example?a=1',
    'https://agency.example#a',
    'agency.example/login?next=https://evil.example',
  ])('has one normal form: %p', (address) => {
    expect(agencyOrigin(address)).toBe('https://agency.example');
  });

  test.each([
    ['https://agency.example:8443/', 'https://agency.example:8443'],
    ['https://raamat.õunapuu.example', 'https://raamat.xn--unapuu-oxa.example'],
    ['http://localhost:4010', 'http://localhost:4010'],
    ['localhost:4010', 'http://localhost:4010'],
    ['127.0.0.1:4010/admin', 'http://127.0.0.1:4010'],
    ['localhost.agency.example', 'https://localhost.agency.example'],
    ['http://127.0.0.1:4010/api/v1', 'http://127.0.0.1:4010'],
    ['http://127.1', 'http://127.0.0.1'],
    ['http://[::1]:4010', 'http://[::1]:4010'],
  ])('%p is %p', (address, origin) => {
    expect(agencyOrigin(address)).toBe(origin);
  });

  test.each([
    ['', 'Agency Address is empty.'],
    ['   ', 'Agency Address is empty.'],
    [undefined, 'Agency Address is empty.'],
    [42, 'Agency Address is empty.'],
    ['https:agency.example', 'Agency Address is not a web address such as https://agency.example.'],
    ['https://', 'Agency Address is not a web address such as https://agency.example.'],
    ['ftp://agency.example', 'Agency Address is not a web address such as https://agency.example.'],
    ['javascript:alert(1)', 'Agency Address is not a web address such as https://agency.example.'],
    ['http://agency.example', 'Agency Address must begin with https://.'],
    ['http://127.0.0.1.agency.example', 'Agency Address must begin with https://.'],
    ['http://localhost.agency.example', 'Agency Address must begin with https://.'],
    ['http://0.0.0.0', 'Agency Address must begin with https://.'],
    ['https://user@agency.example', 'Agency Address must not contain a user name or password.'],
    ['https://:secret@agency.example', 'Agency Address must not contain a user name or password.'],
  ])('%p is refused: %s', (address, message) => {
    expect(() => agencyOrigin(address)).toThrow(message);
  });

  test('never shows a password that it holds', () => {
    expect(() => agencyOrigin('https://user:secret@agency.example')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('secret') }),
    );
  });

  test.each([
    ['localhost', true],
    ['127.9.9.9', true],
    ['[::1]', true],
    ['localhost.example', false],
    ['10.0.0.1', false],
  ])('%s is this machine itself: %p', (host, is) => expect(isLoopback(host)).toBe(is));
});

describe('A path', () => {
  test('encodes its values, so that none leaves its place', () => {
    expect(filledPath('/companies/{id}/settings', { id: 'a/b?c#d%2e ä' })).toBe(
      '/companies/a%2Fb%3Fc%23d%252e%20%C3%A4/settings',
    );
    expect(filledPath('/companies')).toBe('/companies');
  });

  test.each(['', '.', '..'])('refuses %p', (id) => {
    expect(() => filledPath('/companies/{id}', { id })).toThrow(`ID must not be "${id}".`);
  });

  test('keeps any other id one segment, which reads back as it was', () => {
    const ids = fc.string({ unit: 'grapheme', minLength: 1 }).filter((id) => id !== '.' && id !== '..');
    fc.assert(
      fc.property(ids, (id) => {
        const { pathname, search, hash } = new URL(
          `https://agency.example${filledPath('/a/{id}/b', { id })}`,
        );
        const [, a, segment = '', b, ...more] = pathname.split('/');
        expect([a, decodeURIComponent(segment), b, more, search, hash]).toEqual(['a', id, 'b', [], '', '']);
      }),
    );
  });
});

describe('The key', () => {
  const credentials = { address: 'https://agency.example/api/v1/', token: ' key-1 ' };

  test('is added to a request to the agency, and redirects are off', () => {
    const request = { url: 'https://agency.example/api/v1/companies', headers: { Accept: 'text/html' } };
    expect(withKey(credentials, request)).toEqual({
      url: 'https://agency.example/api/v1/companies',
      headers: { Accept: 'text/html', Authorization: 'Bearer key-1' },
      disableFollowRedirect: true,
      followRedirect: false,
      followAllRedirects: false,
      sendCredentialsOnCrossOriginRedirect: false,
    });
    expect(request.headers).toEqual({ Accept: 'text/html' });
  });

  test.each([
    { url: 'https://agency.example/' },
    { url: 'HTTPS://AGENCY.EXAMPLE:443/x' },
    { url: '/api/v1/companies', baseURL: 'https://agency.example' },
    // The HTTP Request node of n8n calls it so.
    { url: '', uri: 'https://agency.example/api/v1/companies' },
  ])('goes to the agency: %p', (request) => {
    expect(withKey(credentials, request).headers).toEqual({ Authorization: 'Bearer key-1' });
  });

  test.each([
    { url: 'https://evil.example/' },
    { url: 'http://agency.example/' },
    { url: 'https://agency.example:8443/' },
    { url: 'https://agency.example.evil.example/' },
    { url: 'https://agency.example@evil.example/' },
    { url: '//evil.example/x', baseURL: 'https://agency.example' },
    { url: 'https://evil.example/x', baseURL: 'https://agency.example' },
    { url: '/x', baseURL: 'https://evil.example' },
    { url: '/x' },
    { url: '' },
    { url: '', uri: 'https://evil.example/' },
    { url: 'https://agency.example/', uri: 'https://evil.example/' },
    { url: 'https://evil.example/', uri: 'https://agency.example/' },
  ])('goes nowhere else: %p', (request) => {
    expect(() => withKey(credentials, request)).toThrow(
      'URL must begin with https://agency.example/, since the key of this credential is sent to no other address.',
    );
  });

  test.each([
    'Bearer key-1',
    'bearer  key-1',
    ' Bearer key-1\n',
    '"key-1"',
    "'key-1'",
    '`key-1`',
    '\u201ekey-1\u201c',
    '<key-1>',
    'Authorization: Bearer key-1',
    'authorization:key-1',
    '"Authorization": "Bearer key-1"',
    'Bearer "key-1"',
    '\u00a0key-1\u00a0',
    '\ufeff\u200bkey-1\u200b\u200d',
    'Bearer\u00a0key-1\u2060',
  ])('is taken as it is copied: %p', (token) => {
    expect(agencyKey(token)).toBe('key-1');
    const request = { url: 'https://agency.example/' };
    expect(withKey({ ...credentials, token }, request).headers).toEqual({ Authorization: 'Bearer key-1' });
  });

  test.each(['bearer-key', 'authorization-1', 'k"1', 'a:b/c+d=='])('keeps what is in it: %p', (token) => {
    expect(agencyKey(token)).toBe(token);
  });

  test.each([
    { proxy: 'http://127.0.0.1:8080' },
    { proxy: { protocol: 'http', host: '127.0.0.1', port: 8080 } },
    { skipSslCertificateValidation: true },
    { rejectUnauthorized: false },
  ])('goes through nothing that a user of it has set up: %p', (options) => {
    const request: { url: string } = Object.assign({ url: 'https://agency.example/' }, options);
    expect(() => withKey(credentials, request)).toThrow('would let someone else read the key');
  });

  test.each([
    ['', 'is empty.'],
    ['  ', 'is empty.'],
    ['Bearer ', 'is empty.'],
    ['Authorization: Bearer', 'is empty.'],
    ['""', 'is empty.'],
    [7, 'is empty.'],
    ['two words', 'contains a space or a line break.'],
    ['key\r\nX-Other: 1', 'contains a space or a line break.'],
    ['ke\u00a0y', 'contains a space or a line break.'],
    ['kéy', 'contains characters that no key has.'],
    ['key\u0000', 'contains characters that no key has.'],
    ['ke\u200by', 'contains characters that no key has.'],
  ])('is refused when it is %p: it %s', (token, problem) => {
    const refusal = new Error(`API Key or Access Token ${problem}`);
    expect(() => agencyKey(token)).toThrow(refusal);
    expect(() => withKey({ ...credentials, token }, { url: 'https://agency.example/' })).toThrow(refusal);
  });
});

test.each([
  ['GET /companies/{id}/settings', 'a/b', 'company "a/b"'],
  ['GET /documents/{id}', 'doc_1', 'document "doc_1"'],
  ['GET /files/{id}/content', 'ä', 'file "ä"'],
  ['POST /tasks/{id}/result', '1', 'task "1"'],
  ['DELETE /webhook-endpoints/{id}', '1', 'webhook endpoint "1"'],
  ['GET /companies', undefined, undefined],
  ['GET /events', undefined, undefined],
] as const)('%s with %p is about %p', (route, id, record) => expect(recordOf(route, id)).toBe(record));
