import type { Json } from 'dragoman/events'
import { hourIn } from '../almanac/civil-date.ts'
import { readContext } from '../context.ts'
import type { Profile } from '../profile/profile.ts'
import { topics } from '../skills/skill.ts'
import { voiceNames } from '../voice.ts'
import { zoneOf } from '../time-zone.ts'
import texts from './style-texts.json' with { type: 'json' }

/** Voice, language, topic and day. In a crisis the rules of the core skill override the voice. */
export function styleSection(runContext: Json, profile: Profile, now: Date): string[] {
  const context = readContext(runContext)
  const voice = context.voiceMode ?? profile.preferences.voice ?? 'warm'
  const topic = topics.find((each) => each === context['topic'])
  const language = context.language ?? profile.preferences.language
  return [
    `# Voice\nYour voice is ${voice} (${voiceNames[voice].zh}): ${texts.voices[voice]} Stay in it until the user ` +
      'asks for another.',
    `# Language\n${language ? texts.languages[language] : 'Answer in the language in which the user writes.'}`,
    ...(topic ? [`# Topic\nThis conversation is about: ${topic}.`] : []),
    `# Today\n${today(zoneOf(profile, context), now)}`,
  ]
}

/** The prompt has no clock, so that it stays the same from one message to the next, for the providers' caches. */
function partOfDay(hour: number): string {
  if (hour < 5) return 'at night'
  if (hour < 11) return 'in the morning'
  if (hour < 14) return 'around noon'
  return hour < 18 ? 'in the afternoon' : 'in the evening'
}

function today(zone: string, now: Date): string {
  const words = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'full' }).format(now)
  return `${words}, in ${zone}, ${partOfDay(hourIn(zone, now))}.`
}
