import type { IDataObject } from 'n8n-workflow';
import type { Schemas } from '../../shared/api/routes';
import { isOn } from '../../shared/values/booleans';
import type { Item } from '../engine/item';
import type { OutputItem } from '../engine/operation';

/**
 * Whether an item asks for "Simplify".
 *
 * @throws InputError for anything but yes and no
 */
export function isSimplified(item: Item): boolean {
  return isOn('Simplify', item.value('simplify'));
}

/** An output item of a record: whole, or as `short` makes it when the item asks for "Simplify". */
export function output<T extends IDataObject>(
  item: Item,
  record: T,
  short: (record: T) => IDataObject,
): OutputItem {
  return { json: isSimplified(item) ? short(record) : record };
}

/** The most used fields of a company. */
export function shortCompany(company: Schemas['Company']): IDataObject {
  const { id, name, shortName, registrationCode, vatCode, legalForm } = company;
  const { directorName, vatPeriod, serviceStoppedFrom, updatedAt } = company;
  return {
    id,
    name,
    shortName,
    registrationCode,
    vatCode,
    legalForm,
    directorName,
    vatPeriod,
    serviceStoppedFrom,
    updatedAt,
  };
}

/** The most used fields of a document, its file flattened. */
export function shortDocument(document: Schemas['Document']): IDataObject {
  const { id, name, companyId, stage, destination, source, receivedAt, duplicateOfDocumentId, file } =
    document;
  const { mimeType = null, sizeBytes = null } = file ?? {};
  return {
    id,
    name,
    companyId,
    stage,
    destination,
    source,
    receivedAt,
    mimeType,
    sizeBytes,
    duplicateOfDocumentId,
  };
}

/** The most used fields of a company's month-end work, its counts flattened. */
export function shortCompanyPeriod(entry: Schemas['CompanyPeriod']): IDataObject {
  const { id, companyId, companyName, period, status, nextDueDate, counts, documents } = entry;
  return {
    id,
    companyId,
    companyName,
    period,
    status,
    nextDueDate,
    obligations: counts.total,
    obligationsOpen: counts.open,
    obligationsOverdue: counts.overdue,
    documentsInbox: documents.inbox,
  };
}

/** The most used fields of an AI task, its subject flattened. */
export function shortTask(task: Schemas['Task']): IDataObject {
  const { id, type, status, resultStatus, companyId, companyName, subject, attempt, completedAt } = task;
  return {
    id,
    type,
    status,
    resultStatus,
    companyId,
    companyName,
    subjectType: subject.type,
    subjectId: subject.id,
    attempt,
    completedAt,
  };
}
