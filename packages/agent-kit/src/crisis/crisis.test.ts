import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'

import cases from './crisis-cases.fixture.json' with { type: 'json' }
import { crisisResources, crisisText, detectDanger, crisisHelp, isCrisis } from './index.ts'

describe('isCrisis', () => {
  it.each(cases.selfHarm)('detects self-harm in %j', async (words) => {
    expect(await isCrisis(words)).toBe(true)
  })

  it.each(cases.noSelfHarm)('detects no self-harm in %j', async (words) => {
    expect(await isCrisis(words)).toBe(false)
  })
})

describe('detectDanger', () => {
  it.each(
    Object.entries(cases.danger).flatMap(([danger, messages]) =>
      messages.map((words) => [danger, words] as const),
    ),
  )('detects %s in %j', async (danger, words) => {
    expect(await detectDanger(words)).toBe(danger)
  })

  it.each(cases.noDanger)('detects no danger in %j', async (words) => {
    expect(await detectDanger(words)).toBeUndefined()
  })

  const LONG = 'A long story of a quiet day. '.repeat(6000)

  it.each([
    ['at the end of a long text', `${LONG}I want to kill myself`, 'self-harm'],
    ['where its parts meet', `${'.'.repeat(19_990)} I want to kill myself ${LONG}`, 'self-harm'],
    ['of poison, whatever comes first', `I want to die. ${LONG} I took a handful of pills.`, 'overdose'],
    ['of violence', `${LONG}My husband beats me`, 'violence'],
    ['of violence in a game', `My husband beats me ${LONG} in a game of Minecraft`, undefined],
  ])('detects danger %s', async (_case, words, danger) => {
    expect(await detectDanger(words)).toBe(danger)
  })

  it('lets the event loop turn while it reads a long text', async () => {
    let isRead = false
    let turns = 0
    const reading = detectDanger(LONG).then(() => (isRead = true))
    while (!isRead) {
      await setImmediate()
      turns += 1
    }
    await reading

    expect(turns).toBeGreaterThanOrEqual(8)
  })
})

describe('crisisHelp', () => {
  it.each([
    ['我想自杀', 'Asia/Shanghai', ['12356', '120 / 110'], ['1925', '988']],
    ['我想自杀', undefined, ['12356', '2389 2222', '1925', 'findahelpline.com'], ['1737']],
    ['我不想活了', 'Asia/Hong_Kong', ['2389 2222', '999'], ['12356']],
    ['我想死', 'Asia/Taipei', ['1925', '安心專線', '119 / 110'], ['12356', '谢谢']],
    ['我沒有活下去的勇氣', undefined, ['1925', '2389 2222'], ['12356']],
    ['I want to die', 'America/New_York', ['988', '911'], ['116 123']],
    ['I want to die', 'America/Toronto', ['988 (Suicide Crisis Helpline (Canada)', '911'], ['116 123']],
    ['I want to die', 'Europe/London', ['116 123', '999'], ['911']],
    ['I want to die', 'Europe/Dublin', ['116 123', '112'], ['911']],
    ['I want to die', 'Europe/Berlin', ['112', 'findahelpline.com'], ['911']],
    ['I want to die', 'Australia/Perth', ['13 11 14', '000'], ['911']],
    ['I want to die', 'Pacific/Auckland', ['1737', '111'], ['911']],
    ['I want to die', 'Asia/Kolkata', ['14416', '112'], ['911']],
    ['I want to die', 'Asia/Singapore', ['1767', '995'], ['911']],
    ['I want to die', 'America/Sao_Paulo', ['your local emergency number', 'findahelpline.com'], ['12356']],
    ['I want to die', 'Asia/Shanghai', ['12356', 'mainland China'], ['988']],
  ])('names the help lines of %j in %s', (words, zone, named, missing) => {
    const help = crisisHelp('self-harm', { words, zone })

    for (const each of named) expect(help).toContain(each)
    for (const each of missing) expect(help).not.toContain(each)
  })

  it('starts with the emergency number for an overdose', () => {
    const help = crisisHelp('overdose', { words: 'I took all my pills', zone: 'America/Chicago' })

    expect(help.indexOf('911')).toBeGreaterThan(0)
    expect(help.indexOf('911')).toBeLessThan(help.indexOf('1-800-222-1222'))
    expect(help.indexOf('1-800-222-1222')).toBeLessThan(help.indexOf('988'))
  })

  it.each([
    ['他打我，我好怕', 'Asia/Shanghai', ['110', '12338', '12355']],
    ['他打我，我好怕', 'Asia/Taipei', ['113']],
    ['他打我，我好怕', 'Asia/Hong_Kong', ['2343 2255', '999']],
    ['my dad hits me', 'America/Denver', ['1-800-799-7233', '1-800-422-4453', '911']],
    ['my dad hits me', 'Europe/London', ['0808 2000 247', '0800 1111', '999']],
  ])('names the lines against violence in %j in %s', (words, zone, named) => {
    const help = crisisHelp('violence', { words, zone })

    for (const each of named) expect(help).toContain(each)
  })
})

describe('the text for a crisis', () => {
  it.each(['zh', 'en'] as const)('names every help line in %s', (language) => {
    for (const { contact } of crisisResources) {
      expect(crisisText[language]).toContain(contact.replace('https://', ''))
    }
  })
})
