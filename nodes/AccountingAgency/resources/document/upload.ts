import type { FeedRequest } from '../../../shared/api/event-feed';
import { type Schemas, UNKNOWN_TYPE } from '../../../shared/api/routes';
import { systemClock } from '../../../shared/api/requests/wait';
import { trueOrFalse } from '../../../shared/values/booleans';
import { isEmpty, wholeNumber } from '../../../shared/values/text';
import { checkRecipient, companyOf } from '../../engine/company';
import { companyField } from '../../fields/company';
import { essenceOf, fileNameOption, mediaType } from '../../files/name-and-type';
import { idempotencyKey } from '../../fields/options';
import { output, outputFields } from '../../fields/output';
import { documentView } from '../../fields/record-views';
import { inputBinaryField, type ItemFile, itemFiles } from '../../files/input-files';
import type { Item } from '../../engine/item';
import type { Operation } from '../../engine/operation';
import { RunStopped } from '../../engine/run';
import { afterMade, NO_UPLOADS_BY_TOOLS, uploadSequentially } from '../../files/send-files';
import { type ComparedFile, compared, ifAlreadyThere } from './filing/already-there';
import { fileDocument, filingStep } from './filing/filing';
import { keptPosition } from './recognition/feed-positions';
import { RecognitionFeed } from './recognition/recognition-feed';

const SMALL_IMAGES = 'Ignore Images Under (KB)';
const LARGEST_SMALL_IMAGE_KB = 1024;

const WAIT = 'Wait for Text Recognition';
const STOP_WAITING = 'Stop Waiting After (Seconds)';
const DEFAULT_WAIT_SECONDS = 120;
const LONGEST_WAIT_SECONDS = 900;

const POLL_EVERY_MS = 2000;
/** Time between two polls when many companies are waited for: half of the 600 requests a minute at most. */
const POLL_SPREAD_MS = 200;

export const upload: Operation = {
  value: 'upload',
  name: 'Upload',
  action: 'Upload document',
  description: "Upload files to a company's inbox, where they go through text recognition",
  builderHint:
    'Needs files: connect a node that outputs them, e.g. an email trigger or Read/Write Files from Disk. Input Binary Field * takes all files of an item.',
  calls: [
    'companies.get',
    'files.create',
    'files.get',
    'documents.create',
    'documents.get',
    'documents.list',
    'events.list',
  ],
  fields: [companyField, inputBinaryField, ...ifAlreadyThere, ...outputFields(documentView)],
  options: [
    fileNameOption,
    idempotencyKey,
    {
      displayName: SMALL_IMAGES,
      name: 'leaveOutImagesUnderKb',
      type: 'number',
      typeOptions: { minValue: 0, maxValue: LARGEST_SMALL_IMAGE_KB, numberPrecision: 0 },
      // Not 0: adding the option opts in.
      default: 20,
      description:
        'Images smaller than this are not uploaded, such as logos in email signatures. An item without any other file outputs nothing.',
    },
    {
      displayName: WAIT,
      name: 'waitForRecognition',
      type: 'boolean',
      // Default true: adding the option opts in.
      default: true,
      description:
        'Whether to wait until text recognition is complete, and output its result. Needs the scope events:read.',
    },
    {
      displayName: STOP_WAITING,
      name: 'stopWaitingAfterSeconds',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: LONGEST_WAIT_SECONDS, numberPrecision: 0 },
      default: DEFAULT_WAIT_SECONDS,
      description: 'How long to wait for text recognition. After that, the status is "pending".',
    },
  ],
  hiddenFromTools: NO_UPLOADS_BY_TOOLS,
  async execute(item) {
    const companyId = await companyOf(item);
    const waitMs = waitingTime(item);
    const read = async () => {
      const files = await filesToFile(item);
      // Too long a key of the user's own is refused before anything is sent; the last file's is the longest.
      item.ownKey(filingStep(files.length));
      if (files.length > 0) await checkRecipient(item, companyId);
      return files;
    };
    const { files, documents, skipped, feed } = await compared(
      item,
      companyId,
      read,
      async (found) => await fileAll(item, companyId, found, waitMs !== undefined),
    );
    const until = systemClock.now() + (waitMs ?? 0);
    const outputs = documents.map((document, index) => {
      const { json } = output(item, document, documentView);
      return { json: skipped.has(index) ? { ...json, skipped: true } : json };
    });
    if (feed === undefined) return outputs;
    const outcome = async (document: Schemas['Document'], index: number, signal: AbortSignal) =>
      skipped.has(index) ? undefined : await feed.outcome(document, until, signal);
    try {
      const recognitions = await item.giveWay(
        async (signal) =>
          await Promise.all(documents.map(async (one, index) => await outcome(one, index, signal))),
      );
      feed.keepPosition();
      const pending = recognitions.filter((recognition) => recognition?.status === 'pending');
      item.count('Text recognition still pending', pending.length);
      return outputs.map(({ json }, index) => {
        const recognition = recognitions[index];
        return { json: recognition === undefined ? json : { ...json, recognition } };
      });
    } catch (thrown) {
      throw thrown instanceof RunStopped ? thrown : afterMade(thrown, files, 'document', documents);
    }
  },
};

/**
 * The files of an item that are to be filed. Without one, the item is as good as done: an email is in order that holds
 * nothing but the logo of a signature.
 *
 * @throws InputError like `itemFiles`
 */
async function filesToFile(item: Item): Promise<ItemFile[]> {
  const wish = item.option('leaveOutImagesUnderKb');
  const smallest = isEmpty(wish) ? 0 : wholeNumber(SMALL_IMAGES, wish, 0, LARGEST_SMALL_IMAGE_KB) * 1024;
  let leftOut = 0;
  const files = await itemFiles(item, ({ mimeType, name = '', length }) => {
    // By its name too: a scanner may call "invoice.pdf" an image, and what was left out is missed by nobody.
    const types = [mimeType, mediaType(undefined, name)].filter((type) => type !== UNKNOWN_TYPE);
    const isSmall =
      length < smallest && types.length > 0 && types.every((type) => essenceOf(type).startsWith('image/'));
    if (isSmall) leftOut += 1;
    return !isSmall;
  });
  item.count('Small images ignored', leftOut);
  if (files.length === 0) item.count('Items without any other file', 1);
  return files;
}

/** What has become of an item's files. */
interface Filed {
  files: ItemFile[];
  /** Of each file. */
  documents: Array<Schemas['Document']>;
  /** Which of them were there before, by position. */
  skipped: Set<number>;
  /** Where to wait for text recognition, if something is to be waited for. */
  feed?: RecognitionFeed;
}

/** Files those of an item's files that are not there yet. */
async function fileAll(item: Item, companyId: string, files: ComparedFile[], waits: boolean): Promise<Filed> {
  const isAnyNew = files.some((file) => file.there() === undefined);
  const feed = waits && isAnyNew ? await feedOf(item, companyId) : undefined;
  const skipped = new Set<number>();
  const documents = await uploadSequentially(files, 'document', async (file, place) => {
    const there = file.there();
    if (there !== undefined) {
      skipped.add(place - 1);
      return there;
    }
    const document = await fileDocument(item, companyId, file, place);
    file.keep(document);
    return document;
  });
  item.count('Files skipped because they already exist', skipped.size);
  return { files, documents, skipped, feed };
}

/** Milliseconds to wait for the recognition; `undefined` when it is not waited for. */
function waitingTime(item: Item): number | undefined {
  const [wish, given] = [item.option('waitForRecognition'), item.option('stopWaitingAfterSeconds')];
  // Who says how long to wait means to wait.
  if (!(isEmpty(wish) ? !isEmpty(given) : trueOrFalse(WAIT, wish))) return undefined;
  const seconds = isEmpty(given) ? DEFAULT_WAIT_SECONDS : given;
  return wholeNumber(STOP_WAITING, seconds, 1, LONGEST_WAIT_SECONDS) * 1000;
}

/** The company's event feed, of which the first page is read before the first upload of the execution. */
async function feedOf(item: Item, companyId: string): Promise<RecognitionFeed> {
  const { recognitionFeeds: feeds } = item.shared;
  const ask: FeedRequest = async (page) =>
    await item.request('GET /events', { query: { companyId, ...page } });
  const pollEveryMs = () => Math.max(POLL_EVERY_MS, feeds.size * POLL_SPREAD_MS);
  const feed = feeds.get(companyId) ?? new RecognitionFeed(ask, keptPosition(item, companyId), pollEveryMs);
  feeds.set(companyId, feed);
  await feed.open();
  return feed;
}
