import type { Agent } from 'dragoman/agents'
import { isGuest } from 'dragoman/events'
import { ownerInstructions } from '@dragoman/agent-kit/text/quote-untrusted-page'
import { birthSection } from './birth-section.ts'
import { crisisSection } from './crisis-section.ts'
import { styleSection } from './style-section.ts'
import { memoriesSection, userSection } from './user-section.ts'
import { skillsSection } from './skills-section.ts'
import careTexts from '../care/care-texts.json' with { type: 'json' }
import { isMinor, saysMinor } from '../care/minors.ts'
import type { Memories } from '../memories/memory.ts'
import type { Profiles } from '../profile/profile.ts'
import type { Skills } from '../skills/skill.ts'

type Ports = { readonly skills: Skills; readonly profiles: Profiles; readonly memories: Memories }

/** In characters: it goes to the model with every step of every run. */
export const MAX_PROMPT_LENGTH = 24_000
const MAX_MEMORIES = 5
/** The part of the message that is compared with memories. */
const MAX_MESSAGE_LENGTH = 4000

/** The system prompt of a run: skills, the user's profile, relevant memories. */
export function systemPrompt(
  { skills, profiles, memories }: Ports,
  clock: () => Date = () => new Date(),
): NonNullable<Agent['runInstructions']> {
  return async ({ userId, context, message }) => {
    const words = message.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const [library, profile, remembered] = await Promise.all([
      skills.library(),
      profiles.get(userId),
      memories.relevant(userId, words.slice(0, MAX_MESSAGE_LENGTH), MAX_MEMORIES),
    ])
    const ofUser = [
      await crisisSection(words),
      saysMinor(words, clock()) || (profile.birth && isMinor(profile.birth, clock()))
        ? careTexts.minorPrompt
        : '',
      await birthSection(profile),
      userSection(profile),
      memoriesSection(profile, remembered, context),
      ...styleSection(context, profile, clock()),
      isGuest(userId) ? GUEST : '',
    ].filter(Boolean)
    // Long skills are cut, not the user's data.
    const remaining = MAX_PROMPT_LENGTH - ofUser.join('\n\n').length - 1000
    // A guest's client is not the application's owner.
    const owners = isGuest(userId) ? '' : ownerInstructions(context)
    return [...skillsSection(library, context, remaining), ...ofUser, owners].filter(Boolean).join('\n\n')
  }
}

const GUEST =
  '# Guest\nThis user has no account: what they tell is kept only as long as this browser keeps its cookie. Say so ' +
  'when they want something remembered for long, and only then.'
