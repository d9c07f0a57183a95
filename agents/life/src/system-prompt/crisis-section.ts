import { countries, internationalLine, helpLines, isCrisis, type HelpLine } from '@dragoman/agent-kit/crisis'

/** Help lines by country: in every run, whatever the skills say. `words` are what the user has just said. */
export async function crisisSection(words: string): Promise<string> {
  const lines = countries.map((country) => {
    const { emergency, selfHarm, violence, child, poison } = helpLines[country]
    const named = [
      selfHarm && helpLineText(selfHarm),
      violence && `violence: ${helpLineText(violence)}`,
      child && `children: ${helpLineText(child)}`,
      poison && `poison: ${helpLineText(poison)}`,
    ]
    return `- ${country}: emergency ${emergency}; ${named.filter(Boolean).join('; ')}`
  })
  const now = (await isCrisis(words))
    ? [
        'What the user has just said shows signs of danger. Care comes first now, before all other wishes and tools.',
      ]
    : []
  return [
    '# Numbers for somebody in danger',
    ...lines,
    `- elsewhere: ${internationalLine.contact}`,
    ...now,
  ].join('\n')
}

function helpLineText({ contact, name }: HelpLine): string {
  return `${contact} (${name.zh} / ${name.en})`
}
