import { type Arrival, journeys } from '../../../tools/demo/journeys';
import { arrived, table } from '../../../tools/demo/table';
import { fillIn, READ, readExamples, UPLOAD } from '../../../tools/demo/workflows';
import type { Execution, Item } from '../../../tools/n8n/executions';

const SHA = 'a'.repeat(64);

function uploadExecution(filed: Item['json'][], refused: Item['json'][] = []): Execution {
  const outputs = [filed, refused].map((list) => list.map((json) => ({ json })));
  const runs = () => [{ startTime: 0, executionTime: 0, outputs }];
  return {
    id: '1',
    workflowId: 'w',
    status: 'success',
    mode: 'manual',
    startedAt: '2026-11-01T10:00:00.000Z',
    stoppedAt: '2026-11-01T10:00:05.000Z',
    runs,
    items: (_node, output = 0) => outputs[output] ?? [],
  };
}

const arrival = (changes: Partial<Arrival> = {}): Arrival => ({
  event: { id: 'evt_1', type: 'document.ocr_completed', subject: { id: 'doc_1' } },
  document: { id: 'doc_1', file: { sha256: SHA } },
  fetchedAt: '2026-11-01T10:00:04.500Z',
  verified: true,
  ...changes,
});

const FILES = [{ name: 'Überweisung.pdf', sha256: SHA }];
// The agency gave the name back decomposed.
const FILED = {
  id: 'doc_1',
  originalFilename: 'Überweisung.pdf'.normalize('NFD'),
  createdAt: '2026-11-01T10:00:02.000Z',
};

describe('the journey of a file', () => {
  test('is whole when its document came back by a verified event', () => {
    const [journey] = journeys(FILES, uploadExecution([FILED]), [arrival()], 'Õun OÜ');
    expect(journey).toEqual({
      file: 'Überweisung.pdf',
      company: 'Õun OÜ',
      isFiled: true,
      event: 'Document Recognized',
      verified: true,
      seconds: 2.5,
      trouble: undefined,
    });
    expect(journey && arrived(journey)).toBe(true);
  });

  test.each([
    [
      'the agency refused it',
      uploadExecution([], [{ fileName: 'Überweisung.pdf', error: 'Too large' }]),
      [],
      'Too large',
    ],
    ['no event came', uploadExecution([FILED]), [], 'no event arrived'],
    [
      'other bytes came back',
      uploadExecution([FILED]),
      [arrival({ document: { id: 'doc_1', file: { sha256: 'b' } } })],
      'the file that came back is different',
    ],
  ])('ends where %s', (_case, upload, arrivals, trouble) => {
    const [journey] = journeys(FILES, upload, arrivals, 'Õun OÜ');
    expect(journey?.trouble).toBe(trouble);
    expect(journey && arrived(journey)).toBe(false);
  });

  test('is whole when its event came before n8n had answered a call, whose signature is then not checked', () => {
    const [journey] = journeys(FILES, uploadExecution([FILED]), [arrival({ verified: undefined })], 'Õun OÜ');
    expect(journey && arrived(journey)).toBe(true);
    expect(journey && table([journey])).toMatch(/not checked {2,}2\.5\n\n1 of 1 files made it\.$/);
  });

  test('is not whole when a forged copy of its event was taken', () => {
    const [journey] = journeys(FILES, uploadExecution([FILED]), [arrival({ verified: false })], 'Õun OÜ');
    expect(journey && arrived(journey)).toBe(false);
  });
});

describe('the examples', () => {
  test('hold the two workflows of the demo, with the nodes that it reads', async () => {
    const examples = await readExamples();
    for (const { file, ...names } of [UPLOAD, READ]) {
      const present = examples.get(file)?.nodes.map(({ name }) => name);
      expect(present).toEqual(expect.arrayContaining(Object.values(names)));
    }
  });

  test('get credential, company and folder as a person would pick them', async () => {
    const upload = (await readExamples()).get(UPLOAD.file);
    const filled = fillIn(upload ?? { name: '', nodes: [], connections: {} }, {
      credential: { id: 'c1', name: 'Agency', type: 'accountingAgencyApi' },
      company: { id: 'cmp_1', name: 'Õun OÜ' },
      folder: '/documents',
    });
    const node = (name: string) => filled.nodes.find((candidate) => candidate.name === name);
    expect(node('Read the folder')?.parameters['fileSelector']).toBe('/documents/*');
    expect(node(UPLOAD.upload)).toMatchObject({
      credentials: { accountingAgencyApi: { id: 'c1', name: 'Agency' } },
      parameters: { companyId: { value: 'cmp_1', cachedResultName: 'Õun OÜ' } },
    });
    expect(node(UPLOAD.trigger)?.credentials).toBeUndefined();
  });
});
