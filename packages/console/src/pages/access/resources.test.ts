import { describe, expect, it } from 'vitest';
import { datasetResources as served, orgResources as servedOfOrg } from '@millrace/api/schemas/capabilities';
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

describe('permissions', () => {
  it('are those of the server', () => {
    expect(Object.fromEntries(datasetResources.map(({ id, actions }) => [id, actions]))).toEqual(served);
    // Permissions without an effect yet are not offered.
    for (const { id, actions } of orgResources) expect(actions).toEqual(servedOfOrg[id]);
  });

  it('have the shortest accurate summary', () => {
    const send = { ...noRights, datasetCapabilities: { logs: presets[0]!.dataset, traces: presets[0]!.dataset } };
    expect(rightsInWords(send)).toEqual(['Ingest only · logs, traces']);
    expect(rightsInWords({ ...noRights, datasetCapabilities: { '*': { query: ['read'], trim: ['update'] } } })).toEqual(
      ['Query events, Trim · all datasets'],
    );
    expect(rightsInWords({ ...noRights, orgCapabilities: { users: ['read'] } })).toEqual(['Users: read']);
    expect(rightsInWords(noRights)).toEqual(['No permissions']);
  });

  it('granted and revoked again leave nothing', () => {
    const given = toggleOnDatasets(toggleInOrg(noRights, 'users', 'read', true), ['a', 'b'], 'trim', 'update', true);
    expect(given.datasetCapabilities).toEqual({ a: { trim: ['update'] }, b: { trim: ['update'] } });
    const taken = toggleOnDatasets(toggleInOrg(given, 'users', 'read', false), ['a', 'b'], 'trim', 'update', false);
    expect(rightsInWords(taken)).toEqual(['No permissions']);
    expect(taken.orgCapabilities).toEqual({});
  });

  it('move to other datasets', () =>
    expect(
      onDatasets({ ...noRights, datasetCapabilities: { '*': { ingest: ['create'] } } }, ['a']).datasetCapabilities,
    ).toEqual({
      a: { ingest: ['create'] },
    }));
});
