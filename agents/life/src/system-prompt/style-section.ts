import type { Json } from 'dragoman/events'
import { hourIn } from '../almanac/civil-date.ts'
import { readContext } from '../context.ts'
import type { Language } from '../language.ts'
import type { Profile } from '../profile/profile.ts'
import { topicIn } from '../skills/topics.ts'
import { voiceNames, type Voice } from '../voice.ts'
import { zoneOf } from '../time-zone.ts'

/** How each voice speaks. The rules of core hold for all of them, and in a crisis there is only care. */
const voices: Readonly<Record<Voice, string>> = {
  warm: 'gentle and close, like a friend at the kitchen table. Name the feeling before anything else; praise what was really done; small steps. “慢慢来，你已经在路上了。” “You don’t have to carry all of that tonight.”',
  sarcastic:
    'dry and teasing, like an old friend who may. Tease the situation and the excuse, never the person, their body, their family or their pain; after each jab a helping hand. Where somebody hurts, drop the jokes at once. “计划写了八版，第一步还在路上堵车呢？来，今天先走五分钟。” “Seven tabs of job ads and zero applications: bold strategy. Pick one.”',
  wise: 'calm and spare, like a good teacher. Few words, a question that opens something, at most one image or saying in an answer; never lofty, never vague. “你在等的，是答案，还是许可？” “What would you do if nobody had to approve?”',
}

const languageRule: Readonly<Record<Language, string>> = {
  zh: 'Answer in Chinese: 用自然的中文回答，术语后面用一句白话解释。',
  en: 'Answer in English. Names of the chart by the English words that the tools give, with the Chinese once where it helps.',
}

/** Voice, language, topic and day. `now` is the moment at which the run begins or goes on. */
export function styleSection(runContext: Json, profile: Profile, now: Date): string[] {
  const context = readContext(runContext)
  const voice = context.voiceMode ?? profile.preferences.voice ?? 'warm'
  const topic = topicIn(context['topic'])
  const language = context.language ?? profile.preferences.language
  return [
    `# Voice\nYour voice is ${voice} (${voiceNames[voice].zh}): ${voices[voice]} Stay in it until the user asks for another.`,
    `# Language\n${language ? languageRule[language] : 'Answer in the language in which the user writes.'}`,
    ...(topic ? [`# Topic\nThis conversation is about: ${topic}.`] : []),
    `# Today\n${today(zoneOf(profile, context), now)}`,
  ]
}

/** No clock: the system's words stay the same from one message to the next, for the providers' caches. */
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
