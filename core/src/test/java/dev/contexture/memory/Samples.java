package dev.contexture.memory;

import static dev.contexture.memory.Docs.json;

import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import java.util.List;
import java.util.Map;

/** A schema of every kind with content that uses all of it. */
final class Samples {
  private static final BlockSchema TEXT = TextSchema.PLAIN;
  private static final BlockSchema FREE = MapSchema.of();
  private static final BlockSchema LIST = ListSchema.ofAnything();
  private static final LogSchema LOG =
      new LogSchema(2, new LogSchema.EntrySchema(true, true, List.of()));
  private static final BlockSchema ALL =
      CompositeSchema.of(
          SectionDef.of("t", TEXT),
          SectionDef.of("m", Docs.PROFILE),
          SectionDef.of("f", FREE),
          SectionDef.of("i", LIST).asReadOnly(),
          SectionDef.of("l", LOG));

  private static final String MAP_FULL =
      "{'name':'Alice','status':'up','tags':[1.10,{'z':1,'a':null}],'score':3,'energy':1.10,"
          + "'bio':'x\\ny','last_seen':'2025-01-01T00:00:00Z'}";
  private static final String FREE_FULL = "{'z':1.10,'a':{'y':[],'b':1e3},'n':null}";
  private static final String LIST_FULL = "[1.10,'😀',{'b':1,'a':2},[],null,1.10]";
  private static final String LOG_FULL =
      "[{'timestamp':'2025-01-01T00:00:00Z','agent_id':'a','x':1.10},"
          + "{'b':1,'timestamp':'2025-01-01T00:00:01+01:00','agent_id':'b','a':2}]";

  static final Map<BlockSchema, JsonValue> FULL =
      Map.of(
          TEXT,
          json("'a\\n😀世界\\n'"),
          Docs.PROFILE,
          json(MAP_FULL),
          FREE,
          json(FREE_FULL),
          LIST,
          json(LIST_FULL),
          LOG,
          json(LOG_FULL),
          ALL,
          json(
              "{'t':'x','m':"
                  + MAP_FULL
                  + ",'f':"
                  + FREE_FULL
                  + ",'i':"
                  + LIST_FULL
                  + ",'l':"
                  + LOG_FULL
                  + "}"));

  static final Map<BlockSchema, JsonValue> OTHER =
      Map.of(
          TEXT,
          json("''"),
          Docs.PROFILE,
          json("{'tags':[],'score':-9}"),
          FREE,
          json("{'a':1,'z':1.1,'q':2}"),
          LIST,
          json("['😀',1.1]"),
          LOG,
          json("[{'timestamp':'2025-01-01T00:00:00Z','agent_id':'a','x':1.1}]"),
          ALL,
          json("{'t':'','m':{'score':0},'f':{},'i':[],'l':[]}"));

  private Samples() {}
}
