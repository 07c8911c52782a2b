import { sha256 } from '../ids';
import type { Company, Document } from '../records';
import { DAY, HOUR, iso } from '../time/clock';
import { contentOf, type Format, MIME_TYPES, type Paper } from './contents';
import { date, END, START } from './dates';
import { newRandom, type Random } from './random';
import type { SeedDocument } from './types';

const SOURCES = ['email', 'email', 'email', 'upload', 'drive', 'api'] as const;
const FORMATS = ['pdf', 'pdf', 'pdf', 'pdf', 'xml', 'xml', 'csv', 'txt'] as const;

const TITLES: Record<Format, readonly [string, ...string[]]> = {
  pdf: ['Arve', 'Invoice', 'Lasku', 'Rechnung', 'Kviitung', 'Tšekk'],
  xml: ['E-arve', 'E-invoice'],
  csv: ['Konto väljavõte', 'Kaardimaksed'],
  txt: ['Selgitus', 'Märkus raamatupidajale'],
};

/** Documents of twelve months, oldest first, so that the newest are still in the inbox. */
export function makeDocuments(count: number, companies: readonly Company[]): SeedDocument[] {
  const random = newRandom(4);
  const made: SeedDocument[] = [];
  for (let index = 0; index < count; index += 1) {
    const received = receivedAt((index + random.int(0, 99) / 100) / count);
    const original = index % 47 === 31 ? made[index - random.int(1, 30)] : undefined;
    made.push(
      original === undefined || original.document.companyId === null
        ? firstCopy(index, received, companies, random)
        : duplicate(index, received, original, random),
    );
  }
  return made;
}

/** A moment within the seed's months, between 6 and 15 o'clock; `part` of the whole time, from 0 to 1. */
function receivedAt(part: number): number {
  const days = ((END - START) / DAY) * part;
  const day = Math.floor(days);
  return START + day * DAY + 6 * HOUR + Math.floor((days - day) * 9 * HOUR);
}

function firstCopy(
  index: number,
  received: number,
  companies: readonly Company[],
  random: Random,
): SeedDocument {
  const company = index % 97 === 50 ? undefined : clientAt(received, companies, random);
  const format = random.pick(FORMATS);
  const paper = paperOf(index, received, company, companies, format, random);
  const lost = index % 211 === 7;
  const content = lost ? null : contentOf[format](paper);
  const filename = `${paper.title.replaceAll(' ', '_')}.${format}`;
  return {
    document: {
      id: idOf(index),
      companyId: company?.id ?? null,
      name: index % 5 === 0 ? filename : `${paper.title}, ${paper.supplier}`,
      originalFilename: filename,
      source: lost ? 'drive' : random.pick(SOURCES),
      duplicateOfDocumentId: null,
      file: content === null ? null : fileOf(content, MIME_TYPES[format]),
      ...progress(index, received, stageOf(received, lost, company === undefined, random), random),
    },
    content,
  };
}

function duplicate(index: number, received: number, original: SeedDocument, random: Random): SeedDocument {
  const { id, duplicateOfDocumentId, file } = original.document;
  return {
    document: {
      ...original.document,
      id: idOf(index),
      source: random.pick(SOURCES),
      duplicateOfDocumentId: duplicateOfDocumentId ?? id,
      ...progress(index, received, file === null ? 'error' : random.pick(['inbox', 'archived']), random),
      accountingDocumentId: null,
    },
    content: original.content,
  };
}

const idOf = (index: number) => `doc_${String(index + 1).padStart(6, '0')}`;

const fileOf = (content: string, mimeType: string): Document['file'] => ({
  sizeBytes: Buffer.byteLength(content),
  mimeType,
  sha256: sha256(content),
});

/** A company that was a client at that time; a third of all documents belong to the twenty oldest clients. */
function clientAt(received: number, companies: readonly Company[], random: Random): Company | undefined {
  const last = random.chance(33) ? 19 : companies.length - 1;
  const company = companies[random.int(0, last)];
  const stopped = company?.serviceStoppedFrom;
  return typeof stopped === 'string' && stopped <= date(received) ? companies[0] : company;
}

function paperOf(
  index: number,
  received: number,
  buyer: Company | undefined,
  companies: readonly Company[],
  format: Format,
  random: Random,
): Paper {
  const number = String(20_000 + index);
  const net = random.int(250, 480_000);
  return {
    title: `${random.pick(TITLES[format])} ${number}`,
    supplier: companies[random.int(0, companies.length - 1)]?.name ?? '',
    buyer: buyer?.name ?? '?',
    number,
    date: date(received - random.int(0, 6) * DAY),
    net,
    gross: Math.round(net * 1.24),
  };
}

type Stage = Document['stage'];

function stageOf(received: number, lost: boolean, homeless: boolean, random: Random): Stage {
  if (lost) return 'error';
  if (homeless) return random.pick(['inbox', 'error']);
  const age = END - received;
  if (age < DAY) return random.pick(['inbox', 'inbox', 'inbox', 'accounting', 'error']);
  if (age < 7 * DAY)
    return random.pick(['inbox', 'inbox', 'accounting', 'accounting', 'accounting', 'storage', 'split']);
  const part = random.int(0, 99);
  if (part < 68) return 'accounting';
  if (part < 84) return 'storage';
  if (part < 92) return 'archived';
  if (part < 96) return 'split';
  return part < 98 ? 'error' : 'inbox';
}

/** Where a document is, and what follows from that. */
function progress(index: number, received: number, stage: Stage, random: Random) {
  const toAccounting = stage === 'accounting' || (stage === 'archived' && random.chance(50));
  const settled = stage === 'storage' ? ('storage' as const) : ('none' as const);
  const undecided = stage === 'inbox' || stage === 'error';
  const updated = Math.min(END, received + 2000 + (undecided ? 0 : random.int(1, 70) * HOUR));
  return {
    accountingDocumentId: toAccounting && random.chance(75) ? 500_000 + index : null,
    receivedAt: iso(received),
    stage,
    destination: toAccounting ? ('accounting' as const) : undecided ? null : settled,
    createdAt: iso(received),
    updatedAt: iso(updated),
  };
}
