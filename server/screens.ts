// The built application as static files: hashed ones for ever, the rest asked again each time. Unknown paths get the application, which knows its routes.
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from './config.ts'
import { Refusal } from './errors.ts'
import { isNavigation, screenPolicy } from './headers.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'

export interface ScreensOptions {
  readonly config: Config
  /** Folder of the web build. */
  readonly folder: string
}

export async function screens(app: FastifyInstance, { config, folder }: ScreensOptions): Promise<void> {
  const policy = screenPolicy(config)
  const hashed = join(folder, 'assets')
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    cacheControl: false,
    index: 'index.html',
    redirect: false,
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.startsWith(hashed) ? FOR_EVER : 'no-cache')
      reply.header('content-security-policy', policy)
    },
  })
  const ours = [config.DATA_API_BASE, config.GENERAL_API_BASE, '/realms', '/anmelden', '/config', '/assets', '/healthz', '/livez']
  app.setNotFoundHandler((request, reply) => {
    if (isNavigation(request) && !ours.some((base) => request.url === base || request.url.startsWith(`${base}/`)))
      return sendApplication(reply)
    throw new Refusal('not_found')
  })
}

/** Missing files (a script of an old version, say) must stay missing: only navigations come here. */
const sendApplication = (reply: FastifyReply): FastifyReply => reply.code(200).sendFile('index.html')
