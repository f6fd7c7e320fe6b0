import { command } from '../command/command.js';

const shells = ['bash', 'zsh', 'fish'] as const;

export const completion = command({
  name: 'completion',
  summary: 'Print a completion script for a shell.',
  description:
    'The script completes commands, options and their values. It calls nothing: print it again after an upgrade.',
  args: { shell: { doc: `The shell: ${shells.join(', ')}.` } },
  examples: [
    { command: 'millrace completion bash > ~/.local/share/bash-completion/completions/millrace', doc: 'bash' },
    { command: 'millrace completion zsh > ~/.zfunc/_millrace', doc: 'zsh, for a directory in fpath' },
    { command: 'millrace completion fish > ~/.config/fish/completions/millrace.fish', doc: 'fish' },
  ],
  run: async ({ io, args: { shell } }) => {
    const { completionScript } = await import('../completion/script.js');
    await io.out.write(await completionScript(shell));
    return 'done';
  },
});
