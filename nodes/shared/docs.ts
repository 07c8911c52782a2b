import { repository } from '../../package.json';

const HOME = repository.url.replace(/^git\+|\.git$/g, '');

/** The address of a page of the package's docs, with its heading, e.g. `security.md#scopes`. */
export const docsPage = (page: string): string => `${HOME}/blob/main/docs/${page}`;

/** The pages that error texts lead to. */
export const DOCS = {
  approvals: docsPage('approvals.md'),
  nothingTwice: docsPage('reliability.md#nothing-is-done-twice'),
  scopes: docsPage('security.md#scopes'),
  troubleshooting: docsPage('troubleshooting.md#by-message'),
};
