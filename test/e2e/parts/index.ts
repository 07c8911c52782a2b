import type { Part } from '../part';
import { browser } from './browser';
import { examples } from './examples';
import { install } from './install';
import { neighbours } from './neighbours';
import { queue } from './queue';
import { triggerLife } from './trigger-life';

/** Every part of the end-to-end tests, in the order in which they run. */
export const PARTS: Part[] = [install, triggerLife, browser, examples, neighbours, queue];
