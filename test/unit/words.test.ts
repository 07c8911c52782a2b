import type {
  INodeProperties,
  INodePropertyCollection,
  INodePropertyOptions,
  INodeTypeDescription,
} from 'n8n-workflow';
import ts from 'typescript';
import { AccountingAgencyApi } from '../../credentials/AccountingAgencyApi.credentials';
import { AccountingAgency } from '../../nodes/AccountingAgency/AccountingAgency.node';
import { AccountingAgencyFeedTrigger } from '../../nodes/AccountingAgencyFeedTrigger/AccountingAgencyFeedTrigger.node';
import { AccountingAgencyTrigger } from '../../nodes/AccountingAgencyTrigger/AccountingAgencyTrigger.node';
import { read, tracked } from '../support/tracked-files';

type Kind =
  'label' | 'description' | 'choice' | 'boolean' | 'placeholder' | 'action' | 'hint' | 'notice' | 'panel';

/** A text that a person sees, with the way to it. */
interface Text {
  kind: Kind;
  where: string;
  text: string;
}

function make(kind: Kind, where: string, text: string | undefined): Text[] {
  return text === undefined || text === '' ? [] : [{ kind, where, text }];
}

/** The texts of a field, a group of fields or an entry of a dropdown, and of what is in it. */
function textsOf(
  one: INodeProperties | INodePropertyCollection | INodePropertyOptions,
  path: string,
): Text[] {
  const where = `${path}.${one.name}`;
  if ('values' in one) {
    return [
      ...make('label', where, one.displayName),
      ...one.values.flatMap((field) => textsOf(field, where)),
    ];
  }
  if (!('type' in one)) {
    return [
      ...make('label', where, one.name),
      ...make('choice', where, one.description),
      ...make('action', where, one.action),
    ];
  }
  const { type, displayName, description, placeholder, hint, options = [], modes = [] } = one;
  return [
    ...make(type === 'notice' ? 'notice' : 'label', where, displayName),
    ...make(type === 'boolean' ? 'boolean' : 'description', where, description),
    ...make('placeholder', where, placeholder),
    ...make('hint', where, hint),
    ...options.flatMap((option) => textsOf(option, where)),
    ...modes.flatMap((mode) => [
      ...make('label', where, mode.displayName),
      ...make('placeholder', where, mode.placeholder),
      ...make('hint', where, mode.hint),
    ]),
  ];
}

/** What the editor says of a trigger on its panel, on the canvas and after it is published. */
function panelTextsOf({
  name,
  triggerPanel,
  activationMessage,
  eventTriggerDescription,
  waitingNodeTooltip,
}: INodeTypeDescription): Text[] {
  const { header, executionsHelp, activationHint } = typeof triggerPanel === 'object' ? triggerPanel : {};
  const help = typeof executionsHelp === 'object' ? Object.values(executionsHelp) : [executionsHelp];
  const hint = typeof activationHint === 'object' ? Object.values(activationHint) : [activationHint];
  return [header, ...help, ...hint, activationMessage, eventTriggerDescription, waitingNodeTooltip].flatMap(
    // The bold beginning of a paragraph is one of a sentence.
    (text) => make('panel', name, text?.replace(/<[^>]+>/g, ' ').trim()),
  );
}

const nodes = [new AccountingAgency(), new AccountingAgencyTrigger(), new AccountingAgencyFeedTrigger()].map(
  ({ description }) => description,
);

const texts = [
  ...nodes.flatMap((node) => [
    ...make('description', node.name, node.description),
    ...panelTextsOf(node),
    ...node.properties.flatMap((property) => textsOf(property, node.name)),
  ]),
  ...new AccountingAgencyApi().properties.flatMap((property) => textsOf(property, 'credential')),
];

const ofKind = (...kinds: Kind[]) => texts.filter(({ kind }) => kinds.includes(kind));

/** The texts that do not follow a rule, as a person finds them. */
const breaking = (rule: (text: string) => boolean, ...kinds: Kind[]) =>
  ofKind(...kinds)
    .filter(({ text }) => !rule(text))
    .map(({ where, text }) => `${where}: ${text}`);

/** Words that a title does not capitalize in its middle. */
const SMALL = new Set('a an and as at but by for in nor of on or the to with'.split(' '));

const isTitle = (text: string) => {
  const words = text.split(/[\s-]+/).map((word) => word.replace(/^\(/, ''));
  return words.every((word, index) => {
    const isOuter = index === 0 || index === words.length - 1;
    return isOuter || !SMALL.has(word.toLowerCase()) ? !/^[a-z]/.test(word) : word === word.toLowerCase();
  });
};

const isSentence = (text: string) =>
  /^[A-Z]/.test(text) && text.split(' ').every((word, index) => index === 0 || !/^[A-Z][a-z]/.test(word));

/** One sentence goes without a period, more than one have it, as n8n's own descriptions do. */
const endsRight = (text: string) => /[.!?] [A-Z"]/.test(text) === /[.)]$/.test(text.replace(/e\.g\. /g, ''));

describe('In the nodes and the credential', () => {
  test('there are texts of every kind', () => {
    expect(texts.length).toBeGreaterThan(250);
    expect([...new Set(texts.map(({ kind }) => kind))]).toHaveLength(9);
  });

  test('labels are titles', () => expect(breaking(isTitle, 'label')).toEqual([]));

  test('labels are short enough not to be cut in a form', () =>
    expect(breaking((text) => text.length <= 30, 'label')).toEqual([]));

  test('actions are sentences without articles', () => {
    expect(breaking(isSentence, 'action')).toEqual([]);
    expect(breaking((text) => !/\b(a|an|the)\b/i.test(text), 'action')).toEqual([]);
  });

  test('placeholders begin with e.g. or say what is added or selected', () =>
    expect(breaking((text) => /^(e\.g\. \S|Add [a-z]|Select )/.test(text), 'placeholder')).toEqual([]));

  test('descriptions of switches begin with Whether', () =>
    expect(breaking((text) => text.startsWith('Whether '), 'boolean')).toEqual([]));

  test('descriptions begin with a capital, and end with a period if there is more than one sentence', () => {
    expect(
      breaking((text) => /^[A-Z"]/.test(text), 'description', 'choice', 'boolean', 'hint', 'notice', 'panel'),
    ).toEqual([]);
    expect(breaking(endsRight, 'description', 'choice', 'boolean')).toEqual([]);
  });

  test('descriptions are read at a glance', () => {
    expect(breaking((text) => text.length <= 240, 'description', 'boolean', 'hint')).toEqual([]);
    expect(breaking((text) => text.length <= 320, 'notice')).toEqual([]);
    // A dropdown shows two lines of them.
    expect(breaking((text) => text.length <= 117, 'choice')).toEqual([]);
  });
});

/** What no native colleague would say, with what to say instead. */
const AVOIDED: [RegExp, string][] = [
  [/\bside by side\b/i, 'at the same time'],
  [/\banew\b/i, 'again'],
  [/\bmay (not )?see\b/i, 'has access to'],
  [/\bdoes not know (the|this)\b/i, '... not found'],
  [/\bstands? in (the|its|n8n)\b/i, 'is in, appears in'],
  [/\bholds? no\b/i, 'has no'],
  [/\bchosen\b/i, 'selected'],
  [/\b(so|as) many (seconds|minutes)\b/i, 'how long'],
  [/\bvery same\b/i, 'exactly this'],
  [/\bday (since|until) when\b/i, 'first day, last day'],
  [/\bin vain\b/i, 'say what did not happen'],
  [/\bto be had\b/i, 'available'],
  [/\ball the same\b/i, 'anyway, still'],
  [/\bbecame of (it|each|them)\b/i, 'the result'],
  [/\bleaves? by\b/i, 'goes to'],
  [/\bask who\b/i, 'ask whoever'],
  [/\bbeside the\b/i, 'next to the'],
  [/\bin the place of\b/i, 'replace, use ... instead'],
  [
    /\bwas read by text recognition|are read by text recognition|is read by text recognition/i,
    'goes through text recognition',
  ],
  [/\b(an?|one|each|the|this|same|no|by) mail\b(?! server)|\bmails\b/i, 'an email'],
  [/\b(recognis|cancell(ed|ing)|colour|behaviour|licence)/i, 'the American spelling'],
  [
    /Items Side by Side|Remembered Entries|Ask Every|Wait at Most|Chosen Events|After Cursor|Output Cursor/,
    'the name of today',
  ],
];

/** The sentences in the strings of a program: what a person may read, and no comments. */
function sentencesOf(file: string): string[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      found.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.filter((text) => text.includes(' '));
}

const written: [string, string[]][] = [
  ...tracked
    .filter((file) => /^(nodes|credentials|sandbox|tools)\/.*\.m?[jt]s$/.test(file))
    .filter((file) => !file.endsWith('api/schema.ts'))
    .map((file): [string, string[]] => [file, sentencesOf(file)]),
  ...tracked
    .filter((file) =>
      /^([^/]+|(docs|examples|sandbox|\.github)\/.*)\.md$|^examples\/[^/]*\.json$|^sandbox\/openapi\.yaml$|^\.github\/.*\.yml$/.test(
        file,
      ),
    )
    // The notes in an example are strings of JSON, whose line breaks are escaped.
    .map((file): [string, string[]] => [file, read(file).split(/\n|\\n/)]),
];

test.each(AVOIDED)('No text of a node, an error, a program or a page has %s (%s)', (pattern) => {
  const found = written.flatMap(([file, lines]) =>
    lines.filter((line) => pattern.test(line)).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

test('No message of a node has a status or a number of bytes, which are for the details', () => {
  const messages = written.filter(([file]) => file.startsWith('nodes/')).flatMap(([, lines]) => lines);
  expect(messages.length).toBeGreaterThan(500);
  expect(messages.filter((line) => /\(status\b|\bbytes\b/.test(line))).toEqual([]);
});
