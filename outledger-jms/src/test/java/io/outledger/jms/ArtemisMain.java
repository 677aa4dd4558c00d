// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import java.nio.file.Path;
import java.util.Set;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;

/**
 * Runs a broker as a process. Queues and topics named {@code test.…} are made when they are first
 * used; {@code small} blocks senders when it holds a few messages, and {@code denied} takes none.
 */
final class ArtemisMain {

  static final String READY = "Artemis is up";
  static final String USER = "ada";
  static final String PASSWORD = "s3cret";
  static final String SMALL = "small";
  static final String DENIED = "denied";

  private static final String ROLE = "all";
  private static final int SMALL_BYTES = 200_000;

  private ArtemisMain() {}

  /** Starts a broker with a folder and a port, and runs until it is killed. */
  public static void main(String[] args) throws Exception {
    EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    broker.setConfiguration(configuration(Path.of(args[0]), args[1]));
    SecurityConfiguration users = new SecurityConfiguration();
    users.addUser(USER, PASSWORD);
    users.addRole(USER, ROLE);
    broker.setSecurityManager(
        new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users));
    broker.start();
    System.out.println(READY);
  }

  private static Configuration configuration(Path folder, String port) throws Exception {
    ConfigurationImpl all = new ConfigurationImpl();
    all.setJournalType(JournalType.NIO)
        .setJournalDirectory(folder.resolve("journal").toString())
        .setBindingsDirectory(folder.resolve("bindings").toString())
        .setLargeMessagesDirectory(folder.resolve("large").toString())
        .setPagingDirectory(folder.resolve("paging").toString())
        .setMaxDiskUsage(-1)
        .setJMXManagementEnabled(false)
        .addAcceptorConfiguration("tcp", "tcp://127.0.0.1:" + port + "?protocols=CORE");
    all.addAddressSetting("#", settings(false));
    all.addAddressSetting("test.#", settings(true));
    all.addAddressSetting(
        SMALL,
        settings(false)
            .setMaxSizeBytes(SMALL_BYTES)
            .setAddressFullMessagePolicy(AddressFullMessagePolicy.BLOCK));
    all.addQueueConfiguration(queue(SMALL));
    all.addQueueConfiguration(queue(DENIED));
    all.putSecurityRoles("#", Set.of(role(true)));
    all.putSecurityRoles(DENIED, Set.of(role(false)));
    return all;
  }

  private static AddressSettings settings(boolean isMadeByUse) {
    return new AddressSettings()
        .setAutoCreateQueues(isMadeByUse)
        .setAutoCreateAddresses(isMadeByUse)
        .setAutoDeleteQueues(false)
        .setAutoDeleteAddresses(false)
        .setDeadLetterAddress(SimpleString.of("dead"));
  }

  private static QueueConfiguration queue(String name) {
    return QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST).setDurable(true);
  }

  private static Role role(boolean is) {
    return new Role(ROLE, is, is, is, is, is, is, is, is, is, is, is, is);
  }
}
