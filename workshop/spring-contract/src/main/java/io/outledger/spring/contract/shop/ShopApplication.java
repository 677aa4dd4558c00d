// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application. */
@SpringBootApplication
public class ShopApplication {

  /** Starts it. */
  public static void main(String[] args) {
    SpringApplication.run(ShopApplication.class, args);
  }
}
