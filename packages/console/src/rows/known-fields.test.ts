import { describe, expect, it } from 'vitest';
import { levelField, messageField, splitField } from './known-fields.js';

const fields = (...names: readonly string[]) => names.map((name) => ({ name, type: 'string' }));

describe('known fields', () => {
  it.each<readonly [readonly string[], string | undefined, string | undefined]>([
    [['msg', 'level'], 'msg', 'level'],
    [['Message', 'Level'], 'Message', 'Level'],
    [['MESSAGE', 'SeverityText'], 'MESSAGE', 'SeverityText'],
    [['log.message', 'log_level'], 'log.message', 'log_level'],
    [['Message', 'message'], 'message', undefined],
    [['name', 'text', 'body'], 'body', undefined],
    [['messages', 'levels', 'message_id'], undefined, undefined],
    [[], undefined, undefined],
  ])('of %j', (names, message, level) => {
    expect([messageField(fields(...names)), levelField(fields(...names))]).toEqual([message, level]);
  });

  it('are the chosen ones, where the result has them', () => {
    const roles = { message: 'text', level: 'kind' };
    const [all, other] = [fields('msg', 'level', 'text', 'kind'), fields('msg', 'level')];
    expect([messageField(all, roles), levelField(all, roles), splitField(all, roles)]).toEqual([
      'text',
      'kind',
      'kind',
    ]);
    expect([messageField(other, roles), levelField(other, roles)]).toEqual(['msg', 'level']);
  });

  it('split a histogram by level, else by status', () => {
    expect(splitField(fields('Status', 'LogLevel'))).toBe('LogLevel');
    expect(splitField(fields('Status', 'size'))).toBe('Status');
    expect(splitField(fields('size'))).toBeUndefined();
  });
});
