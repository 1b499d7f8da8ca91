// Stores issued documents: made once, stored with their digest, delivered byte for byte ever after.
// Permission is checked as the caller; bytes are read and written as forst_dokument, which sees issued
// documents and nothing else.
import { createHash } from 'node:crypto'
import type { Beleg } from '#domain/beleg.ts'
import type { Caller } from '#server/caller.ts'
import type { Context, Database } from '#server/database/database.ts'
import { asNutzer } from '#server/nutzer.ts'
import { type Material, type StoredFile, pdfFile, xmlFile } from './document.ts'
import type { Renderer } from './renderer.ts'
import type { Logo } from './typesetter.ts'

export type Subject = 'rechnung' | 'angebot' | 'mahnung'
export type FileKind = 'pdf' | 'xml'

export interface RequestSpec {
  readonly art: Subject
  readonly id: string
  readonly datei: FileKind
}

export interface Stored {
  readonly name: string
  readonly inhalt: Buffer
  readonly sha256: string
}

const WRITER: Context = { role: 'forst_dokument' }

/** Statements per kind; the names are ours and never the caller's. */
const OF = {
  rechnung: {
    visible: {
      name: 'dokument_rechnung',
      text: 'select id from app.dokument where rechnung_id = $1 and art = $2',
    },
    issued: {
      name: 'dokument_rechnung_beleg',
      text: `select b.client_id, b.beleg::text as beleg
        from app.rechnung b
        where b.id = $1 and b.ausgestellt_am is not null
        and not exists (select from app.dokument d where d.rechnung_id = b.id and d.art = 'pdf')`,
    },
    store: {
      name: 'dokument_rechnung_neu',
      text: `insert into app.dokument (client_id, rechnung_id, art, dateiname, inhalt, sha256, regelwerk)
        values ($1, $2, $3, $4, decode($5, 'base64'), $6, $7) on conflict do nothing`,
    },
  },
  angebot: {
    visible: {
      name: 'dokument_angebot',
      text: 'select id from app.dokument where angebot_id = $1 and art = $2',
    },
    issued: {
      name: 'dokument_angebot_beleg',
      text: `select b.client_id, b.beleg::text as beleg
        from app.angebot b
        where b.id = $1 and b.ausgestellt_am is not null
        and not exists (select from app.dokument d where d.angebot_id = b.id and d.art = 'pdf')`,
    },
    store: {
      name: 'dokument_angebot_neu',
      text: `insert into app.dokument (client_id, angebot_id, art, dateiname, inhalt, sha256, regelwerk)
        values ($1, $2, $3, $4, decode($5, 'base64'), $6, $7) on conflict do nothing`,
    },
  },
  mahnung: {
    visible: {
      name: 'dokument_mahnung',
      text: 'select id from app.dokument where mahnung_id = $1 and art = $2',
    },
    issued: {
      name: 'dokument_mahnung_beleg',
      text: `select b.client_id, b.beleg::text as beleg from app.mahnung b where b.id = $1
        and not exists (select from app.dokument d where d.mahnung_id = b.id and d.art = 'pdf')`,
    },
    store: {
      name: 'dokument_mahnung_neu',
      text: `insert into app.dokument (client_id, mahnung_id, art, dateiname, inhalt, sha256, regelwerk)
        values ($1, $2, $3, $4, decode($5, 'base64'), $6, $7) on conflict do nothing`,
    },
  },
} as const

/** All files of a document, the PDF first. */
const ALL = {
  rechnung: {
    name: 'dokumente_rechnung',
    text: `select art, dateiname, encode(inhalt, 'base64') as inhalt
      from app.dokument where rechnung_id = $1
      order by art`,
  },
  angebot: {
    name: 'dokumente_angebot',
    text: `select art, dateiname, encode(inhalt, 'base64') as inhalt
      from app.dokument where angebot_id = $1
      order by art`,
  },
  mahnung: {
    name: 'dokumente_mahnung',
    text: `select art, dateiname, encode(inhalt, 'base64') as inhalt
      from app.dokument where mahnung_id = $1
      order by art`,
  },
} as const

const BYTES = {
  name: 'dokument_bytes',
  text: `select dateiname, encode(inhalt, 'base64') as inhalt, sha256 from app.dokument where id = $1`,
}
const LOGO = {
  name: 'dokument_logo',
  text: `select encode(logo, 'base64') as logo, logo_typ from app.lieferant where logo is not null`,
}

const ATTACHED = {
  name: 'dokument_anlage',
  text: `select encode(inhalt, 'base64') as inhalt from app.anlage where id = $1 and rechnung_id = $2`,
}
/** Both files of an invoice with attachments are larger than an ordinary answer. */
const FILES_BYTES = 96 * 2 ** 20

export interface Store {
  /**
   * A stored file that the caller may see. Null: not there or not allowed, which a caller cannot tell apart.
   */
  fetchStored(caller: Caller, requestSpec: RequestSpec): Promise<Stored | null>
  /**
   * Makes the files of an issued document and stores them. False: there is nothing issued under
   * this id, or its files exist.
   */
  make(art: Subject, id: string): Promise<boolean>
  /** The stored files, the PDF first, for the server's own mails; no permission is checked. */
  fetchFiles(
    art: Subject,
    id: string,
  ): Promise<readonly { readonly art: FileKind; readonly name: string; readonly inhalt: Buffer }[]>
  /** Renders what is not issued; nothing of it is stored. */
  preview(beleg: Beleg): Promise<StoredFile>
}

export function createStore(database: Database, renderer: Renderer): Store {
  async function readLogo(): Promise<Logo | null> {
    const { rows } = await database.once<{ logo: string; logo_typ: Logo['typ'] }>(WRITER, LOGO)
    const [row] = rows
    return row === undefined ? null : { bytes: Buffer.from(row.logo, 'base64'), typ: row.logo_typ }
  }

  /** @throws Error when the bytes are not those that the document was issued with */
  async function readAttached({ anlagen = [] }: Beleg, id: string): Promise<Material['files']> {
    const files = new Map<string, Uint8Array>()
    for (const one of anlagen) {
      const { rows } = await database.once<{ inhalt: string }>(WRITER, {
        ...ATTACHED,
        values: [one.id, id],
      })
      const bytes = Buffer.from(rows[0]?.inhalt ?? '', 'base64')
      if (createHash('sha256').update(bytes).digest('hex') !== one.sha256)
        throw new Error(`attachment ${one.id} is not the one that was issued`)
      files.set(one.id, bytes)
    }
    return files
  }

  return {
    async fetchStored(caller, { art, id, datei }) {
      const seen = await database.once<{ id: number }>(asNutzer(caller, { readOnly: true }), {
        ...OF[art].visible,
        values: [id, datei],
      })
      if (seen.rows[0] === undefined) return null
      const { rows } = await database.once<{ dateiname: string; inhalt: string; sha256: string }>(WRITER, {
        ...BYTES,
        values: [seen.rows[0].id],
      })
      const [row] = rows
      return row === undefined
        ? null
        : { name: row.dateiname, inhalt: Buffer.from(row.inhalt, 'base64'), sha256: row.sha256 }
    },

    async make(art, id) {
      const { rows } = await database.once<{ client_id: number; beleg: string }>(WRITER, {
        ...OF[art].issued,
        values: [id],
      })
      const [row] = rows
      if (row === undefined) return false
      const beleg = JSON.parse(row.beleg) as Beleg
      const material: Material = { logo: await readLogo(), files: await readAttached(beleg, id) }
      const files: readonly (readonly [FileKind, StoredFile | null])[] = [
        ['xml', xmlFile(beleg, material)],
        ['pdf', await pdfFile(renderer, beleg, material)],
      ]
      // One transaction: the PDF is never stored without the XML it contains. Two servers that make it at the
      // same time make the same bytes, and the first ones stay.
      await database.transaction(WRITER, async (tx) => {
        for (const [fileRow, file] of files) {
          if (file === null) continue
          const content = Buffer.from(file.inhalt).toString('base64')
          await tx.query({
            ...OF[art].store,
            values: [row.client_id, id, fileRow, file.name, content, file.sha256, file.regelwerk],
          })
        }
      })
      return true
    },

    async fetchFiles(art, id) {
      const { rows } = await database.once<{ art: FileKind; dateiname: string; inhalt: string }>(
        { ...WRITER, answerBytes: FILES_BYTES },
        { ...ALL[art], values: [id] },
      )
      return rows.map((row) => ({
        art: row.art,
        name: row.dateiname,
        inhalt: Buffer.from(row.inhalt, 'base64'),
      }))
    },

    async preview(beleg) {
      return pdfFile(renderer, beleg, { logo: await readLogo(), files: new Map() })
    },
  }
}
