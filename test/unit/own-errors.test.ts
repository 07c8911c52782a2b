import type { INode } from 'n8n-workflow';
import { AgencyError } from '../../nodes/shared/api/errors/agency-error';
import { descriptionInEditor, shownError } from '../../nodes/shared/own-errors';

const NODE: INode = { id: '1', name: 'A', type: 'a', typeVersion: 1, position: [0, 0], parameters: {} };

test.each(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'CERT_HAS_EXPIRED'])(
  'An error with the code %s says in its own words what happened, and has the code in its details',
  (code) => {
    const thrown = new AgencyError('The agency could not be reached.', 'Check the address.', { code });
    expect(shownError(NODE, thrown)).toMatchObject({
      message: 'The agency could not be reached.',
      description: 'Check the address.',
      context: { data: { code } },
    });
  },
);

describe('The description of an error in the editor', () => {
  test('has each line on its own, and links that can be clicked', () => {
    expect(descriptionInEditor('Ask for it:\nhttps://a.example/?id=1&copy=2\nThen run this again.')).toBe(
      'Ask for it:<br><a href="https://a.example/?id=1&amp;copy=2" target="_blank">https://a.example/?id=1&amp;copy=2</a><br>Then run this again.',
    );
  });

  test.each(['Open https://a.example now.', 'javascript:alert(1)', 'https://a.example/"onclick="x'])(
    'makes no link of %s',
    (text) => expect(descriptionInEditor(text)).toBe(text),
  );
});
