import { stretch } from "./soak.js";

export default {
  async fetch(request) {
    return Response.json(stretch(await request.json()));
  },
};
