// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

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

/** Runs a broker as a process, with the queues that {@link Artemis} names. */
final class ArtemisMain {

  static final String READY = "Artemis is up";

  private static final String ROLE = "all";
  private static final int SMALL_BYTES = 200_000;

  private ArtemisMain() {}

  /**
   * Starts a broker with a folder, its protocols, such as {@code CORE,AMQP}, a port, and a pattern
   * of addresses that are made by use, and runs until it is killed. With a key store for a fifth,
   * it has TLS at the port.
   */
  public static void main(String[] args) throws Exception {
    EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    String acceptor = "tcp://127.0.0.1:" + args[2] + "?protocols=" + args[1];
    String tls =
        args.length < 5
            ? ""
            : ";sslEnabled=true;keyStorePath="
                + args[4]
                + ";keyStorePassword="
                + TlsCertificate.PASSWORD;
    broker.setConfiguration(configuration(Path.of(args[0]), acceptor + tls, args[3]));
    SecurityConfiguration users = new SecurityConfiguration();
    users.addUser(Artemis.USER, Artemis.PASSWORD);
    users.addRole(Artemis.USER, ROLE);
    broker.setSecurityManager(
        new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users));
    broker.start();
    System.out.println(READY);
  }

  private static Configuration configuration(Path folder, String acceptor, String madeByUse)
      throws Exception {
    ConfigurationImpl all = new ConfigurationImpl();
    all.setJournalType(JournalType.NIO)
        .setJournalDirectory(folder.resolve("journal").toString())
        .setBindingsDirectory(folder.resolve("bindings").toString())
        .setLargeMessagesDirectory(folder.resolve("large").toString())
        .setPagingDirectory(folder.resolve("paging").toString())
        .setMaxDiskUsage(-1)
        .setJMXManagementEnabled(false)
        .addAcceptorConfiguration("tcp", acceptor);
    all.addAddressSetting("#", settings(false));
    all.addAddressSetting(madeByUse, settings(true));
    all.addAddressSetting(Artemis.SMALL, small(AddressFullMessagePolicy.BLOCK));
    all.addAddressSetting(Artemis.FULL, small(AddressFullMessagePolicy.FAIL));
    for (String name : Set.of(Artemis.SMALL, Artemis.FULL, Artemis.DENIED, Artemis.DEAD)) {
      all.addQueueConfiguration(queue(name));
    }
    all.putSecurityRoles("#", Set.of(role(true)));
    all.putSecurityRoles(Artemis.DENIED, Set.of(role(false)));
    return all;
  }

  private static AddressSettings small(AddressFullMessagePolicy policy) {
    return settings(false).setMaxSizeBytes(SMALL_BYTES).setAddressFullMessagePolicy(policy);
  }

  private static AddressSettings settings(boolean isMadeByUse) {
    return new AddressSettings()
        .setAutoCreateQueues(isMadeByUse)
        .setAutoCreateAddresses(isMadeByUse)
        .setAutoDeleteQueues(false)
        .setAutoDeleteAddresses(false)
        .setDeadLetterAddress(SimpleString.of(Artemis.DEAD));
  }

  private static QueueConfiguration queue(String name) {
    return QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST).setDurable(true);
  }

  private static Role role(boolean is) {
    return new Role(ROLE, is, is, is, is, is, is, is, is, is, is, is, is);
  }
}
