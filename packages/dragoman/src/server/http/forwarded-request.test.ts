import { describe, expect, it } from 'vitest'

import { isForwarded } from './forwarded-request.ts'

const HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

function isForwardedWith(headers: Readonly<Record<string, string>>): boolean {
  const all = new Headers({ host: 'localhost:3033', ...headers })
  return isForwarded(
    { header: (name) => all.get(name) ?? undefined, headerNames: () => [...all.keys()] },
    HOSTS,
  )
}

const STRANGER = '203.0.113.9'

describe('isForwarded', () => {
  it.each([
    ['Akamai', { 'true-client-ip': STRANGER }],
    ['Akamai', { 'akamai-origin-hop': '1' }],
    ['Amazon CloudFront', { 'x-amz-cf-id': 'a==' }],
    ['Amazon CloudFront', { 'cloudfront-viewer-address': `${STRANGER}:1` }],
    ['Amazon load balancer', { 'x-amzn-trace-id': 'Root=1-2-3' }],
    ['Apache', { 'x-forwarded-server': 'www.example' }],
    ['Azure Front Door', { 'x-azure-clientip': STRANGER, 'x-azure-ref': 'x' }],
    ['Azure Front Door', { 'x-fd-healthprobe': '1' }],
    ['Azure App Service', { 'x-arr-ssl': '2048' }],
    ['Azure App Service', { 'x-ms-client-principal-name': 'ada' }],
    ['Cloudflare', { 'cf-ray': '1', 'cf-ipcountry': 'DE' }],
    ['Cloudflare', { 'cf-connecting-ipv6': '2001:db8::1' }],
    ['Cloudflare', { 'cdn-loop': 'cloudflare' }],
    ['DigitalOcean', { 'do-connecting-ip': STRANGER }],
    ['Envoy', { 'x-envoy-external-address': STRANGER }],
    ['F5', { 'x-client-ip': STRANGER }],
    ['Fastly', { 'fastly-client-ip': STRANGER }],
    ['Fly.io', { 'fly-client-ip': STRANGER }],
    ['Fly.io', { 'fly-region': 'fra' }],
    ['Google App Engine', { 'x-appengine-user-ip': STRANGER }],
    ['Google load balancer', { 'x-cloud-trace-context': '1/2' }],
    ['Google Identity-Aware Proxy', { 'x-goog-authenticated-user-email': 'ada@example' }],
    ['Heroku', { 'x-request-start': '1' }],
    ['Imperva', { 'incap-client-ip': STRANGER }],
    ['Ingress of Kubernetes', { 'x-original-forwarded-for': STRANGER }],
    ['Ingress of Kubernetes', { 'x-scheme': 'https' }],
    ['Netlify', { 'x-nf-client-connection-ip': STRANGER }],
    ['ngrok', { 'ngrok-skip-browser-warning': '1' }],
    ['nginx', { 'x-real-ip': STRANGER }],
    ['nginx that hides its client', { 'x-forwarded-proto': 'https' }],
    ['nginx that hides its client', { 'x-forwarded-host': 'localhost' }],
    ['nginx that hides its client', { 'x-forwarded-for': 'unknown' }],
    ['nginx that hides its client', { 'x-forwarded-for': '' }],
    ['nginx that hides its client', { 'x-ssl-client-verify': 'SUCCESS' }],
    ['oauth2-proxy', { 'x-auth-request-user': 'ada' }],
    ['Authelia', { 'remote-user': 'ada' }],
    ['Rackspace', { 'x-cluster-client-ip': STRANGER }],
    ['Sucuri', { 'x-sucuri-clientip': STRANGER }],
    ['Squid', { via: '1.1 squid' }],
    ['Squid', { 'max-forwards': '10' }],
    ['Squid', { 'proxy-connection': 'keep-alive' }],
    ['Tailscale Serve', { 'tailscale-user-login': 'ada@example' }],
    ['Traefik', { 'x-forwarded-port': '443' }],
    ['Varnish', { 'x-varnish': '1' }],
    ['Vercel', { 'x-vercel-id': 'fra1::1' }],
    ['WebLogic', { 'wl-proxy-client-ip': STRANGER }],
    ['Microsoft', { 'front-end-https': 'on' }],
    ['the standard', { forwarded: `for=${STRANGER}` }],
    ['the standard', { forwarded: 'for="[2001:db8::1]:4711"' }],
    ['the standard', { forwarded: 'for=_hidden, for=127.0.0.1' }],
    ['the standard', { forwarded: 'by=203.0.113.1' }],
    ['the standard', { forwarded: 'host=chat.example' }],
    ['the standard', { forwarded: 'for=127.0.0.1;host=chat.example' }],
    ['a misspelled one', { 'forwarded-for': STRANGER }],
    ['a misspelled one', { 'x-forwarded': `for=${STRANGER}` }],
    ['a misspelled one', { x_forwarded_for: STRANGER }],
    ['an unknown one', { 'x-who-asks': STRANGER }],
    ['an unknown one', { 'x-who-asks': '127.0.0.1, [2001:db8::1]:4711' }],
    ['one in between', { 'x-forwarded-for': `127.0.0.1, ${STRANGER}` }],
    ['one in between', { 'x-forwarded-for': '127.0.0.1', 'client-ip': STRANGER }],
    ['one in between', { 'x-forwarded-for': '127.0.0.1', via: '1.1 squid' }],
    ['one for another host', { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'chat.example' }],
    ['one for another host', { 'x-real-ip': '127.0.0.1', 'x-original-host': 'chat.example' }],
  ] as const)('is true for a request through %s: %j', (_proxy, headers) => {
    expect(isForwardedWith(headers)).toBe(true)
  })

  it.each([
    ['nothing but a host', {}],
    [
      'a browser',
      {
        accept: 'text/html,*/*;q=0.8',
        'accept-language': 'en',
        'cache-control': 'max-age=0',
        connection: 'keep-alive',
        cookie: 'ip=203.0.113.9; last=203.0.113.9',
        dnt: '1',
        origin: 'http://localhost:3033',
        priority: 'u=0, i',
        referer: 'http://203.0.113.9/',
        'sec-ch-ua': '"Not_A Brand";v="24.0.0.0"',
        'sec-ch-ua-full-version': '24.0.0.0',
        'sec-fetch-site': 'same-origin',
        'sec-gpc': '1',
        'upgrade-insecure-requests': '1',
        'user-agent': 'Mozilla/5.0 (X11) Chrome/120.0.0.0',
        'x-client-data': 'CI',
      },
    ],
    ['Postman', { 'postman-token': 'a-b', 'user-agent': 'PostmanRuntime/7.4.0' }],
    [
      'clients of models and agents',
      {
        'x-api-key': 'k',
        'x-stainless-lang': 'js',
        'x-stainless-runtime-version': '24.0.0.0',
        'anthropic-version': '2023-06-01',
        'mcp-session-id': 'a',
        'mcp-protocol-version': '2025-11-25',
        'x-copilotkit-runtime-client-gql-version': '1.9.0',
        'x-vercel-ai-ui-message-stream': 'v1',
        'idempotency-key': 'a',
        'x-eve-token': 'dgm_a',
        'last-event-id': '3',
      },
    ],
    [
      'traces',
      {
        traceparent: '00-1-2-01',
        baggage: 'a=b',
        'x-b3-traceid': '1',
        'sentry-trace': '1',
        'x-request-id': 'a',
      },
    ],
    [
      'an application',
      {
        'x-requested-with': 'XMLHttpRequest',
        'x-csrf-token': 'a',
        'x-user-id': '7',
        'x-app-version': '1.2.3.4',
        'x-zip': '10115',
        'x-membership': 'gold',
        'x-client-id': 'web',
        'x-source': 'app',
        'x-tooltip': 'no',
      },
    ],
    [
      'the development server of Vite or Next.js',
      {
        'x-forwarded-for': '::1',
        'x-forwarded-host': 'localhost:5173',
        'x-forwarded-port': '5173',
        'x-forwarded-proto': 'http',
      },
    ],
    [
      'Caddy on this machine',
      { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'localhost', 'x-forwarded-proto': 'https' },
    ],
    [
      'nginx on this machine',
      { 'x-real-ip': '127.0.0.1', 'x-forwarded-for': '::ffff:127.0.0.1, 127.0.0.1:80' },
    ],
    ['the standard on this machine', { forwarded: 'for="[::1]:80";host=localhost:3033;proto=http' }],
    ['an address of this machine in an unknown header', { 'x-who-asks': '127.0.0.1' }],
  ] as const)('is false for %s', (_client, headers) => {
    expect(isForwardedWith(headers)).toBe(false)
  })
})
