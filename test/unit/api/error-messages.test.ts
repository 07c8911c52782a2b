import { DOCS } from '../../../nodes/shared/docs';
import { explanation } from '../../../nodes/shared/api/errors/error-messages';

const ORIGIN = 'https://agency.example';

const keyRefused = (said: string) => explanation({ status: 401, code: 'INVALID_API_KEY' }, said, ORIGIN);

test.each(['The access token has expired.', 'Token expired', 'jwt expired'])(
  'tells an expired token where the agency says so: %s',
  (said) => {
    const { message, resolution } = keyRefused(said);
    expect(message).toBe(`The API key or access token for ${ORIGIN} has expired.`);
    expect(resolution).toContain('Enter a new one');
  },
);

test.each([
  '',
  'The key is missing or not valid for this agency.',
  'The key is missing, wrong, expired, revoked or of another agency.',
  'Invalid or expired token',
  'The key must not be expired',
])('says no more than the agency does: %s', (said) => {
  const { message, resolution } = keyRefused(said);
  expect(message).toBe(`${ORIGIN} does not accept the API key or access token.`);
  expect(resolution).toContain('Check both fields');
});

test("a code that this version does not know keeps the agency's own message", () => {
  expect(explanation({ code: 'QUOTA_EXCEEDED' }, 'Too many documents.', ORIGIN)).toEqual({
    message: 'The agency returned an error: Too many documents.',
    resolution: expect.stringContaining('request ID'),
  });
});

test.each(['constructor', 'toString', '__proto__'])(
  'takes the code %s for one that it does not know',
  (code) => {
    expect(explanation({ code }, '', ORIGIN).message).toBe('The agency returned an error.');
  },
);

test('leads to what scopes allow when one is missing', () => {
  const details = { requiredScopes: ['work:read'] };
  expect(explanation({ code: 'INSUFFICIENT_SCOPE', details }, '', ORIGIN)).toEqual({
    message: 'The key lacks the scope work:read.',
    resolution: `Ask an administrator of the agency to add the scope to the access of this key. More about scopes:\n${DOCS.scopes}`,
  });
});

test('keeps to the words that fit when an answer lacks its details', () => {
  expect(explanation({ code: 'INSUFFICIENT_SCOPE' }, '', ORIGIN).message).toBe(
    'The key lacks a scope that is needed for this.',
  );
  expect(explanation({ code: 'VALIDATION_ERROR' }, 'Bad.', ORIGIN).message).toBe(
    'The agency did not accept the request: Bad.',
  );
  expect(explanation({ code: 'APPROVAL_REQUIRED' }, '', ORIGIN).resolution).toMatch(
    /^Nothing has been changed yet. Ask an administrator to approve it. Within one day/,
  );
});
