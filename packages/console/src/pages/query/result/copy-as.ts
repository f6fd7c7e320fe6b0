/** The query for other tools, without the token: copied texts end up in chats. */

export type CopyAs = 'curl' | 'millrace' | 'axiom-js';

interface CopiedQuery {
  readonly q: string;
  readonly from: string;
  readonly to: string;
}

const shell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export function commandFor(as: CopyAs, { q, from, to }: CopiedQuery, origin: string): string {
  switch (as) {
    case 'curl':
      return [
        `curl -s ${shell(`${origin}/v1/datasets/_apl?format=tabular`)}`,
        '-H "Authorization: Bearer $MILLRACE_TOKEN"',
        "-H 'Content-Type: application/json'",
        `-d ${shell(JSON.stringify({ apl: q, startTime: from, endTime: to }))}`,
      ].join(' \\\n  ');
    case 'millrace':
      return `MILLRACE_URL=${shell(origin)} millrace query ${shell(q)} --from ${shell(from)} --to ${shell(to)}`;
    case 'axiom-js':
      return [
        "import { Axiom } from '@axiomhq/js';",
        '',
        `const axiom = new Axiom({ url: ${JSON.stringify(origin)}, token: process.env.MILLRACE_TOKEN });`,
        `const result = await axiom.query(${JSON.stringify(q)}, {`,
        `  startTime: ${JSON.stringify(from)},`,
        `  endTime: ${JSON.stringify(to)},`,
        '});',
      ].join('\n');
  }
}
