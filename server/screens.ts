// Serves the built application as static files: hashed ones are cached forever, the rest is revalidated each
// time. Unknown paths get the application, which has its own routes.
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RESERVED_PATHS } from '#contract/server-paths.ts'
import type { Config } from './config.ts'
import { Refusal } from './errors.ts'
import { isNavigation, screenPolicy } from './headers.ts'
import { declareScope } from './route-caller.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'

export interface ScreensOptions {
  readonly config: Config
  /** Folder of the web build. */
  readonly folder: string
}

export async function screens(app: FastifyInstance, options: ScreensOptions): Promise<void> {
  // In its own scope, so that only errors of these files are handled here.
  await app.register((scope) => files(scope, options))
}

async function files(scope: FastifyInstance, { config, folder }: ScreensOptions): Promise<void> {
  declareScope(scope, 'anyone')
  const policy = screenPolicy(config)
  const hashed = join(folder, 'assets')
  const worker = join(folder, 'sw.js')
  await scope.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    cacheControl: false,
    index: 'index.html',
    redirect: false,
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      // A cached service worker would hold back every new version.
      reply.header(
        'cache-control',
        path.startsWith(hashed) ? FOR_EVER : path.startsWith(worker) ? 'no-store' : 'no-cache',
      )
      reply.header('content-security-policy', policy)
    },
  })
  const ours = [config.DATA_API_BASE, config.GENERAL_API_BASE, ...RESERVED_PATHS]
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (
      isNavigation(request) &&
      !ours.some((base) => request.url === base || request.url.startsWith(`${base}/`))
    )
      return sendApplication(reply)
    throw new Refusal('not_found')
  }
  scope.setNotFoundHandler(answerUnknown)
  // The library refuses `//` anywhere in a path. No file of ours has such a name, so it is handled
  // like any other unknown path.
  scope.setErrorHandler((error, request, reply) => {
    if ((error as { code?: string }).code === 'FST_STATIC_FORBIDDEN_PATH')
      return answerUnknown(request, reply)
    throw error
  })
}

/** Missing files (a script of an old version, for instance) must stay missing: only navigations get here. */
const sendApplication = (reply: FastifyReply): FastifyReply => reply.code(200).sendFile('index.html')
