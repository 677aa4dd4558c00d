// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.depot;

import org.springframework.data.jpa.repository.JpaRepository;

/** The crates. */
public interface Crates extends JpaRepository<Crate, String> {}
