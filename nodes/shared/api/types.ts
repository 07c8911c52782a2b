import type { components } from './schema';

/** The records of the API by the names of the spec, made from the contract. */
export type Schemas = components['schemas'];
