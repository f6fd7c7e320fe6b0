/** Common audit queries. `where` follows the dataset. */

interface Preset {
  readonly id: string;
  readonly title: string;
  readonly where?: string;
}

export const presets = [
  { id: 'all', title: 'All' },
  { id: 'changes', title: 'Changes', where: "outcome == 'changed'" },
  { id: 'refused', title: 'Rejected', where: "outcome == 'refused'" },
  { id: 'failed', title: 'Failed', where: "outcome == 'failed'" },
  { id: 'access', title: 'Access management', where: "operation matches regex '(Token|User|Role|Group|Org)'" },
  { id: 'signin', title: 'Sign-ins', where: "operation matches regex '(Session|SignInCode)'" },
  {
    id: 'data',
    title: 'Data deletion',
    where: "operation in ('deleteByQuery', 'deleteDataset', 'deleteDatasetV1', 'trimDataset', 'trimDatasetV1')",
  },
] as const satisfies readonly Preset[];

export const presetIds = presets.map(({ id }) => id);
type PresetId = (typeof presets)[number]['id'];

const DATASET = "['millrace-audit']";

/** Query of a preset, filtered by a text. */
export function auditQuery(id: PresetId, text: string): string {
  const preset: Preset = presets.find((each) => each.id === id)!;
  const parts = [DATASET];
  if (preset.where !== undefined) parts.push(`where ${preset.where}`);
  const words = text.trim();
  if (words !== '') parts.push(`search '${words.replaceAll(/[\\']/g, String.raw`\$&`)}'`);
  return parts.join('\n| ');
}
