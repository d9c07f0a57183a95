/** Titles of pages that ask to sign in, and of checks for robots. */
const SIGN_IN =
  /^(?:sign (?:in|up)|log ?in|join linkedin|linkedin login|authwall|登录|用户登录|扫码登录|请登录)(?:\s*$|\s*[|–—·:_,，-])/i
const CHECK = new RegExp(
  '^(?:security check|security verification|just a moment|attention required|verify (?:you|that you)|' +
    'are you (?:a )?(?:human|robot)|access denied|additional verification required|' +
    'help us protect glassdoor|安全验证|访问验证|人机验证|滑动验证|请稍[候后]|验证码)',
  'i',
)
const SIGN_IN_PATHS = /\/(?:authwall|uas\/login|login|signin|checkpoint|account\/login)(?:\/|$)/i

/** The reason why a page shows no posting, if it asks to sign in or checks for robots. */
export function detectAccessWall(title: string, url: URL): string | undefined {
  if (CHECK.test(title)) {
    return 'it is a check for robots: open the posting in your browser, pass the check, and send the page again'
  }
  if (SIGN_IN.test(title) || SIGN_IN_PATHS.test(url.pathname)) {
    return 'it asks to sign in: sign in with your browser, open the posting, and send the page again'
  }
  return undefined
}
