import { descriptionInEditor } from '../../nodes/shared/own-errors';

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
