import { countries, elsewhere, linesOf, showsCrisis, type HelpLine } from '@dragoman/agent-kit/crisis'

/** Help lines by country: in every run, whatever the skills say. `words` are what the user has just said. */
export function crisisSection(words: string): string {
  const lines = countries.map((country) => {
    const { emergency, selfHarm, violence, child, poison } = linesOf[country]
    const named = [
      selfHarm && helpLineText(selfHarm),
      violence && `violence: ${helpLineText(violence)}`,
      child && `children: ${helpLineText(child)}`,
      poison && `poison: ${helpLineText(poison)}`,
    ]
    return `- ${country}: emergency ${emergency}; ${named.filter(Boolean).join('; ')}`
  })
  const now = showsCrisis(words)
    ? [
        'What the user has just said shows signs of danger. Care comes first now, before all other wishes and tools.',
      ]
    : []
  return ['# Numbers for somebody in danger', ...lines, `- elsewhere: ${elsewhere.contact}`, ...now].join(
    '\n',
  )
}

function helpLineText({ contact, name }: HelpLine): string {
  return `${contact} (${name.zh} / ${name.en})`
}
