import { exampleCommands, type Example } from 'dragoman/modules'

/** Commands for the landing page. */
export function landingPageExamples(origin: string): readonly Example[] {
  const { post } = exampleCommands(origin)
  return [
    {
      title: 'Talk to the life agent',
      description:
        'A text gets the documented frames. DefaultChatTransport at the same address gets cards as parts. In ' +
        'English and Chinese.',
      zh: { title: '和人生助手聊聊', description: '只发一段文字，就会收到文档中的帧；useChat 会收到卡片。' },
      command: post('/api/v1/chat/v5/stream', { message: '看看我的八字' }),
    },
    {
      title: 'Get the greeting of the day',
      description: 'The solar term, the almanac and one small step.',
      zh: { title: '今日问候', description: '节气、黄历和一件小事。' },
      command: `curl ${origin}/api/fortune/greeting`,
    },
  ]
}
