import { crisisResources, showsCrisis } from '../../../crisis.ts'

/** Whom to turn to: in every run, whatever the skills say. `words` are what the user has just said. */
export function crisisTold(words: string): string {
  const lines = crisisResources.map(
    ({ country, name, contact, note }) =>
      `- ${country ?? 'elsewhere'}: ${contact}, ${name.zh} / ${name.en} (${note.zh} / ${note.en})`,
  )
  const now = showsCrisis(words)
    ? [
        'What the user has just said shows signs of harm to themselves. Care comes first now, before all other wishes and tools.',
      ]
    : []
  return ['# Numbers for somebody in danger', ...lines, ...now].join('\n')
}
