// @ts-check

import { StrataError, assemble } from "prompt-strata";

/**
 * `POST /api/prompt`: an `AssembleInput` as JSON in, the `Assembly` out.
 *
 * @param {Request} request
 */
export async function POST(request) {
  const body = await request.text();
  try {
    return Response.json(assemble(body));
  } catch (error) {
    if (!(error instanceof StrataError) || error.code === "internal") throw error;
    const { code, path, message } = error;
    return Response.json({ code, path, message }, { status: 400 });
  }
}
