// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.outledger.spring.contract.ApplicationJsonContract.Money;
import java.io.IOException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the team has with Jackson 2. */
public final class Jackson2OfTheTeam {

  private Jackson2OfTheTeam() {}

  /** Writes it. */
  public static class MoneyWriter extends StdSerializer<Money> {

    private static final long serialVersionUID = 1L;

    /** Creates it. */
    public MoneyWriter() {
      super(Money.class);
    }

    @Override
    public void serialize(Money money, JsonGenerator json, SerializerProvider all)
        throws IOException {
      json.writeString(money.toString());
    }
  }

  /** Reads it. */
  public static class MoneyReader extends StdDeserializer<Money> {

    private static final long serialVersionUID = 1L;

    /** Creates it. */
    public MoneyReader() {
      super(Money.class);
    }

    @Override
    public Money deserialize(JsonParser json, DeserializationContext context) throws IOException {
      return Money.parse(json.getText());
    }
  }

  /** The team's module. */
  @Configuration(proxyBeanMethods = false)
  public static class WithModule {

    @Bean
    Module money() {
      return new SimpleModule()
          .addSerializer(Money.class, new MoneyWriter())
          .addDeserializer(Money.class, new MoneyReader());
    }
  }

  /** The mapper of the team's API. */
  @Configuration(proxyBeanMethods = false)
  public static class WithMapper {

    @Bean
    ObjectMapper mapper(@Qualifier("money") Module money) {
      return new ObjectMapper()
          .findAndRegisterModules()
          .registerModule(money)
          .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
    }
  }
}
