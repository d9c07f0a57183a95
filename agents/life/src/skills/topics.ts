/** What a conversation is about. */
export const topics = ['career', 'relationship', 'fortune', 'health', 'self', 'general'] as const
export type Topic = (typeof topics)[number]

/** What a conversation remembers of it may be anything. */
export function topicIn(value: unknown): Topic | undefined {
  return topics.find((topic) => topic === value)
}
