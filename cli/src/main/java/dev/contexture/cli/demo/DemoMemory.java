package dev.contexture.cli.demo;

import static dev.contexture.cli.demo.DemoPlayer.objects;
import static dev.contexture.cli.demo.DemoPlayer.text;

import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.MemoryOp;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import java.util.List;

/** Plays the part of a script that agents remember. Confined to one thread. */
final class DemoMemory {
  private final MemoryStore memory;

  DemoMemory(MemoryStore memory) {
    this.memory = memory;
  }

  /** Makes agents, blocks, shares and archival entries. */
  void prepare(JsonObject script) {
    for (JsonObject agent : objects(script, "agents")) {
      memory.putAgent(text(agent, "agent"), text(agent, "name"), text(agent, "description"));
    }
    objects(script, "memory")
        .forEach(block -> memory.createBlock(text(block, "agent"), spec(block)));
    for (JsonObject share : objects(script, "shares")) {
      memory.shareBlock(
          text(share, "owner"),
          text(share, "label"),
          text(share, "agent"),
          MemoryPermission.named(text(share, "permission")));
    }
    for (JsonObject entry : objects(script, "archival")) {
      memory.insertArchival(
          text(entry, "agent"), text(entry, "content"), entry.find("metadata").orElse(null));
    }
  }

  private static BlockSpec spec(JsonObject block) {
    BlockSpec spec =
        BlockSpec.of(text(block, "label"), MemoryBlockType.named(text(block, "block_type")))
            .description(text(block, "description"))
            .pinned(block.isTrue("pinned"));
    if (block.has("permission")) {
      spec = spec.permission(MemoryPermission.named(text(block, "permission")));
    }
    if (block.has("schema")) {
      spec = spec.schema(BlockSchema.fromJson(block.find("schema").orElseThrow()));
    }
    return block.has("content") ? spec.content(block.find("content").orElseThrow()) : spec;
  }

  /** Edits a block as its agent, in one commit. */
  void edit(JsonObject edit) {
    String agent = text(edit, "agent");
    List<MemoryOp> ops = objects(edit, "ops").stream().map(MemoryOp::fromJson).toList();
    memory
        .actingAs(Actor.agent(agent))
        .edit(
            agent,
            text(edit, "label"),
            text(edit, "message"),
            document -> {
              ops.forEach(op -> op.apply(document, null));
              return ops.size();
            });
  }
}
