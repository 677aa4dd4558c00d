// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/** What an operator does once for a share group. */
final class ShareGroups {

  private static final Map<String, String> SAFE =
      Map.of(
          "share.auto.offset.reset",
          "earliest",
          "share.isolation.level",
          "read_committed",
          "share.renew.acknowledge.enable",
          "true");

  private ShareGroups() {}

  /** Makes a group's settings safe, and sets some more. */
  static void setUp(String servers, String group, Map<String, String> more) {
    Map<String, String> all = new HashMap<>(SAFE);
    all.putAll(more);
    set(servers, group, all);
  }

  static void set(String servers, String group, Map<String, String> settings) {
    Collection<AlterConfigOp> changes =
        settings.entrySet().stream()
            .map(each -> new ConfigEntry(each.getKey(), each.getValue()))
            .map(entry -> new AlterConfigOp(entry, AlterConfigOp.OpType.SET))
            .toList();
    ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin.incrementalAlterConfigs(Map.of(resource, changes)).all().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
