import type { Operator } from '../ast.js';
import type { OperatorName } from '../lexing/keywords.js';
import type { Parser } from '../parser.js';
import { parseMvApply, parseMvExpand } from './expand.js';
import { parseJoin, parseLookup } from './join.js';
import { parseMakeSeries } from './make-series.js';
import { parseParse, parseParseKv, parseParseWhere } from './parse.js';
import {
  parseExtend,
  parseExtendValid,
  parseProject,
  parseProjectAway,
  parseProjectKeep,
  parseProjectRename,
  parseProjectReorder,
} from './project.js';
import { parseFacet, parseFork, parsePartition } from './branches.js';
import { parseRedact } from './redact.js';
import { parseEvaluate, parseInvoke, parseReduce, parseRender } from './results.js';
import {
  parseAs,
  parseCount,
  parseDistinct,
  parseGetschema,
  parseLimit,
  parseSample,
  parseSampleDistinct,
  parseSerialize,
  parseTake,
  parseWhere,
} from './rows.js';
import { parseScan } from './scan.js';
import { parseSort, parseTop, parseTopHitters, parseTopNested } from './sort.js';
import { parseSummarize } from './summarize.js';
import { parseFind, parseSearch, parseUnion } from './union.js';

/**
 * The rule of each operator. It is called after the name has been taken; `start` is where the name
 * begins.
 */
export const operatorRules: Readonly<Record<OperatorName, (p: Parser, start: number) => Operator>> = {
  as: parseAs,
  count: parseCount,
  distinct: parseDistinct,
  evaluate: parseEvaluate,
  extend: parseExtend,
  'extend-valid': parseExtendValid,
  facet: parseFacet,
  find: parseFind,
  fork: parseFork,
  getschema: parseGetschema,
  invoke: parseInvoke,
  join: parseJoin,
  limit: parseLimit,
  lookup: parseLookup,
  'make-series': parseMakeSeries,
  'mv-apply': parseMvApply,
  'mv-expand': parseMvExpand,
  order: parseSort,
  parse: parseParse,
  'parse-kv': parseParseKv,
  'parse-where': parseParseWhere,
  partition: parsePartition,
  project: parseProject,
  'project-away': parseProjectAway,
  'project-keep': parseProjectKeep,
  'project-rename': parseProjectRename,
  'project-reorder': parseProjectReorder,
  redact: parseRedact,
  reduce: parseReduce,
  render: parseRender,
  sample: parseSample,
  'sample-distinct': parseSampleDistinct,
  scan: parseScan,
  search: parseSearch,
  serialize: parseSerialize,
  sort: parseSort,
  summarize: parseSummarize,
  take: parseTake,
  top: parseTop,
  'top-hitters': parseTopHitters,
  'top-nested': parseTopNested,
  union: parseUnion,
  where: parseWhere,
};
