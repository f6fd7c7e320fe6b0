import { describe, expect, it } from 'vitest';
import {
  datasetResources as served,
  orgResources as servedOfOrg,
} from '../../../../server/src/schemas/capabilities.js';
import {
  datasetResources,
  noRights,
  onDatasets,
  orgResources,
  presets,
  rightsInWords,
  toggleInOrg,
  toggleOnDatasets,
} from './resources.js';

describe('rights', () => {
  it('are those that the server knows', () => {
    expect(Object.fromEntries(datasetResources.map(({ id, actions }) => [id, actions]))).toEqual(served);
    // What the server takes but does nothing with yet is not offered.
    for (const { id, actions } of orgResources) expect(actions).toEqual(servedOfOrg[id]);
  });

  it('are told as the shortest true sentence', () => {
    const send = { ...noRights, datasetCapabilities: { logs: presets[0]!.dataset, traces: presets[0]!.dataset } };
    expect(rightsInWords(send)).toEqual(['Send only · logs, traces']);
    expect(rightsInWords({ ...noRights, datasetCapabilities: { '*': { query: ['read'], trim: ['update'] } } })).toEqual(
      ['Query events, Trim · all datasets'],
    );
    expect(rightsInWords({ ...noRights, orgCapabilities: { users: ['read'] } })).toEqual(['Users: read']);
    expect(rightsInWords(noRights)).toEqual(['Nothing']);
  });

  it('that are given and taken again leave nothing behind', () => {
    const given = toggleOnDatasets(toggleInOrg(noRights, 'users', 'read', true), ['a', 'b'], 'trim', 'update', true);
    expect(given.datasetCapabilities).toEqual({ a: { trim: ['update'] }, b: { trim: ['update'] } });
    const taken = toggleOnDatasets(toggleInOrg(given, 'users', 'read', false), ['a', 'b'], 'trim', 'update', false);
    expect(rightsInWords(taken)).toEqual(['Nothing']);
    expect(taken.orgCapabilities).toEqual({});
  });

  it('move to other datasets', () =>
    expect(
      onDatasets({ ...noRights, datasetCapabilities: { '*': { ingest: ['create'] } } }, ['a']).datasetCapabilities,
    ).toEqual({
      a: { ingest: ['create'] },
    }));
});
