import type { components } from './contract';

/** The records of the API by the names of the spec, made from the contract. */
export type Records = components['schemas'];
