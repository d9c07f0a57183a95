import { exampleCommands, type Example } from 'dragoman/modules'

/** Commands for the landing page. */
export function examples(origin: string): readonly Example[] {
  const { post } = exampleCommands(origin)
  return [
    {
      title: 'Talk to the life agent',
      words:
        'A text gets the documented frames. DefaultChatTransport at the same address gets cards as parts. In English and Chinese.',
      command: post('/api/v1/chat/v5/stream', { message: '看看我的八字' }),
    },
    {
      title: 'Get the greeting of the day',
      words: 'The solar term, the almanac and one small step.',
      command: `curl ${origin}/api/fortune/greeting`,
    },
  ]
}
